"""Checks the Markdown: lines of at most 100 columns, links that lead somewhere, functions that are in
the file that they are said to be in, and that the pictures of the source tree have each folder of
src/.

`check_markdown.py --wrap FILE...` lays paragraphs and lists of the files out again."""

import re
import sys
import textwrap

from source_tree import ROOT, finish, tracked_files

COLUMNS = 100
GLUE = "\x1f"  # for a space that stays
GENERATED = {"docs/configuration.md"}  # printed by the program, which a test holds it against
MAPS = ("README.md", "docs/architecture.md")  # each names all folders of src/

FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"(\s*)([-*+]|\d+\.)\s+")
BLOCK = re.compile(r"\s*(\||#{1,6} |<|!?\[[^\]]*\]\([^)]*\)\s*$|\[[^\]]*\]: )|    ")
PLACES = re.compile(r"`([\w/]+\.[ch]pp)`: (`[\w:]+`(?:, `[\w:]+`)*)")  # `grid/torus.cpp`: `Torus::east`
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def kinds_of_lines(lines):
    """Yields (line, kind): code, table, or text."""
    fenced, indented, before = False, False, ""
    for line in lines:
        if FENCE.match(line):
            fenced = not fenced
            yield line, "code"
        elif fenced:
            yield line, "code"
        else:
            indented = line.startswith("    ") and (indented or not before.strip()) and not ITEM.match(line)
            yield line, "code" if indented else "table" if line.lstrip().startswith("|") else "text"
        before = line


def is_breakable(line):
    """Whether the line could be shorter: it has a space before the last column, outside of a link's address."""
    head = line[len(line) - len(line.lstrip()):COLUMNS + 1 - (len(line) - len(line.lstrip()))]
    return re.search(r"\S\s", ITEM.sub("", head)) is not None and not re.fullmatch(r"\s*!?\[.*\]\([^)]*\)\s*", line)


def long_lines(text):
    for number, (line, kind) in enumerate(kinds_of_lines(text.splitlines()), 1):
        if kind == "text" and len(line) > COLUMNS and is_breakable(line):
            yield number, len(line)


def anchor_of(heading):
    """As repository hosts make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors_of(text):
    return {anchor_of(line.lstrip("#")) for line, kind in kinds_of_lines(text.splitlines())
            if kind == "text" and re.match(r"#{1,6} ", line)}


def dead_links(root, path, text):
    """Yields (line number, target) of links inside the repository that lead nowhere."""
    for number, (line, kind) in enumerate(kinds_of_lines(text.splitlines()), 1):
        if kind == "code":
            continue
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = root / path if not name else (root / path).parent / name
            is_there = file.exists()
            if is_there and anchor and file.suffix == ".md":
                is_there = anchor in anchors_of(file.read_text(encoding="utf-8"))
            if not is_there:
                yield number, target


def lost_places(root, text):
    """Yields (file, name) of what is said to stand in a file of src/ and does not."""
    for file, names in PLACES.findall(text):
        path = root / "src" / file
        source = path.read_text(encoding="utf-8") if path.exists() else ""
        for name in re.findall(r"[\w:]+", names):
            if not re.search(rf"\b{name.rpartition('::')[2]}\b", source):
                yield file, name


def source_folders(root):
    """The folders of src/ that have a CMakeLists.txt, and nn's levels."""
    source = root / "src"
    return sorted({path.parent.relative_to(source).as_posix() for path in source.rglob("CMakeLists.txt")} - {"."})


def unnamed_folders(root, text):
    for folder in source_folders(root):
        name = folder.rpartition("/")[2]
        if not re.search(rf"[`/\"\[ ]{re.escape(name)}[`\"\]/,:;( ]", text):
            yield folder


def check(root):
    for path in tracked_files(root):
        if path.suffix != ".md":
            continue
        text = (root / path).read_text(encoding="utf-8")
        if path.as_posix() not in GENERATED:
            for number, columns in long_lines(text):
                yield f"{path}:{number}: {columns} columns, at most {COLUMNS}; check_markdown.py --wrap {path}"
        for number, target in dead_links(root, path, text):
            yield f"{path}:{number}: the link to {target} leads nowhere"
        for file, name in lost_places(root, text):
            yield f"{path}: {name} is not in src/{file}"
        if path.as_posix() in MAPS:
            for folder in unnamed_folders(root, text):
                yield f"{path}: src/{folder} is not in it"


def glued(words):
    """With spaces inside of code that a line break shall not replace."""
    return re.sub(r"`[^`]{1,70}`", lambda code: code.group().replace(" ", GLUE), words)


def filled(words, first, rest):
    """The words in lines of at most COLUMNS, none but the first beginning like a list, heading or quote."""
    lines = textwrap.wrap(glued(words), COLUMNS, initial_indent=first, subsequent_indent=rest,
                          break_long_words=False, break_on_hyphens=False)
    for i in range(1, len(lines)):
        if re.match(r"\s*([-*+>]|\d+\.|#+|\|)( |$)", lines[i]):
            before, _, moved = lines[i - 1].rpartition(" ")
            after = " ".join([moved, *(line.strip() for line in lines[i:])])
            return [*lines[:i - 1], before, *filled(after, rest, rest)]
    return lines


def wrapped(text):
    """The text with its paragraphs and list items laid out again; the rest as it is."""
    result, paragraph, first, rest = [], [], "", ""

    def flush():
        if paragraph:
            result.extend(filled(" ".join(paragraph), first, rest))
        paragraph.clear()

    for line, kind in kinds_of_lines(text.splitlines()):
        item = ITEM.match(line)
        if kind != "text" or not line.strip() or BLOCK.match(line) and not item and not paragraph:
            flush()
            result.append(line)
            continue
        if item:
            flush()
            first, rest = item.group(), " " * len(item.group())
            line = line[item.end():]
        elif not paragraph:
            first = rest = line[:len(line) - len(line.lstrip())]
        paragraph.append(line.strip())
        if line.endswith("  "):  # a line break that is meant
            flush()
    flush()
    return "\n".join(result).replace(GLUE, " ") + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--wrap"]:
        for name in sys.argv[2:]:
            file = ROOT / name
            file.write_text(wrapped(file.read_text(encoding="utf-8")), encoding="utf-8")
        sys.exit(0)
    finish(list(check(ROOT)), "markdown")
