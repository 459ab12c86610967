"""Checks that no file, no function and no class has grown beyond what one reads in one go.

The limits on lines are far above the habit (files near 100 lines, functions of 5 to 20); with --report
it prints the medians and the largest. Functions and classes are found by their braces, which
clang-format's layout makes reliable enough for a limit.
"""

import argparse
import re
import statistics

from source_tree import ROOT, cpp_files, finish

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 100
MAX_MEMBERS = 15

LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                      re.DOTALL)
CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$")
CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?([\w:]+)[^();=]*$")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
ACCESS = re.compile(r"\b(?:public|protected|private)\s*:(?!:)")
NO_MEMBER = re.compile(r"\s*(?:using|friend|typedef|static|template|enum|class|struct|union|LIPIZZ_\w+|#|$)")


def without_literals(text):
    """The text with comments and literals blanked out, its line breaks kept."""
    return LITERALS.sub(lambda match: "\n" * match.group().count("\n"), text)


def functions(text):
    """Yields (first line, number of lines) of every brace block that belongs to a function."""
    line, head, head_line, nesting = 1, "", 1, []
    for character in without_literals(text):
        if character == "{":
            inside = any(kind == "function" for kind, _ in nesting)
            is_function = "(" in head and not inside and not CONTAINER.search(head)
            nesting.append(("function" if is_function else "other", head_line))
            head = ""
        elif character in ";}":
            if character == "}" and nesting:
                kind, first = nesting.pop()
                if kind == "function":
                    yield first, line - first + 1
            head = ""
        elif not character.isspace() and not head.strip():
            head, head_line = character, line
        else:
            head += character
        line += character == "\n"


def n_declared(statement):
    """How many data members a statement of a class declares; its braces are empty."""
    while TEMPLATE_ARGUMENTS.search(statement):
        statement = TEMPLATE_ARGUMENTS.sub("", statement)
    declared = re.split(r"=|\{", ACCESS.sub("", statement), maxsplit=1)[0]
    if NO_MEMBER.match(declared) or re.search(r"\(|\boperator\b", declared):
        return 0
    return 1 + statement.count(",") if "=" not in statement else 1


def classes(text):
    """Yields (first line, name, number of data members) of every class and struct with a body."""
    line, head, head_line, open_classes, nesting = 1, "", 1, [], []
    for character in without_literals(text):
        if character == "{":
            found = CLASS.search(ACCESS.sub("", head))
            nesting.append((head, head_line, found))
            if found:
                open_classes.append([found.group(1), 0])
                head = ""
            elif not (nesting[:-1] and nesting[-2][2]):
                head = ""
        elif character == "}" and nesting:
            before, first, found = nesting.pop()
            if found:
                name, n_members = open_classes.pop()
                yield first, name, n_members
            in_class = bool(nesting and nesting[-1][2])
            # The body of a class or function ends a statement, an initialiser does not.
            head = before if in_class and not found and n_declared(before) > 0 else ""
        elif character == ";":
            if nesting and nesting[-1][2]:
                open_classes[-1][1] += n_declared(head)
            head = ""
        elif not character.isspace() and not head.strip():
            head, head_line = character, line
        else:
            head += character
        line += character == "\n"


def check(root):
    for path in cpp_files(root, "src", "tests", "bench", "docs"):
        text = (root / path).read_text(encoding="utf-8")
        n_lines = text.count("\n")
        if n_lines > MAX_FILE_LINES:
            yield f"{path}: {n_lines} lines; at most {MAX_FILE_LINES}, better near 100"
        for first, length in functions(text):
            if length > MAX_FUNCTION_LINES:
                yield f"{path}:{first}: a function of {length} lines; at most {MAX_FUNCTION_LINES}, better near 10"
        for first, name, n_members in classes(text):
            if n_members > MAX_MEMBERS:
                yield f"{path}:{first}: {name} has {n_members} data members; at most {MAX_MEMBERS}"


def report(root):
    """The medians of src, and the largest of each kind; one line each."""
    files, all_functions, all_classes = [], [], []
    for path in cpp_files(root, "src"):
        text = (root / path).read_text(encoding="utf-8")
        files.append((text.count("\n"), f"{path}"))
        all_functions += [(length, f"{path}:{first}") for first, length in functions(text)]
        all_classes += [(n_members, f"{path}:{first} {name}") for first, name, n_members in classes(text)]
    for what, sizes in (("lines of a file", files), ("lines of a function", all_functions),
                        ("data members of a class", all_classes)):
        yield f"{what}: median {statistics.median(size for size, _ in sizes):g} of {len(sizes)}; the most:"
        yield from (f"  {size:4} {place}" for size, place in sorted(sizes, reverse=True)[:10])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--report", action="store_true", help="print medians and the largest of src")
    if parser.parse_args().report:
        print("\n".join(report(ROOT)))
    finish(list(check(ROOT)), "sizes")
