"""Checks that comments are whole sentences: none begins with Of, What, Who or Whether, as fragments
do (a question may)."""

import re

from source_tree import ROOT, cpp_files, finish

COMMENT = re.compile(r"\s*//+ ?(.*)")
FRAGMENT = re.compile(r"(?:^|(?<=[.:?!)] )|(?<=  ))(Of|What|Who|Whether)\b[^.?!]*([.?!]?)")


def blocks(text):
    """Yields (number of the first line, lines) of comments that stand on lines of their own."""
    first, lines = 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if match := COMMENT.fullmatch(line):
            first = first or number
            lines.append(match.group(1))
        elif lines:
            yield first, lines
            first, lines = 0, []


def fragments(text):
    """Yields (line number, word) of sentences that begin as fragments do."""
    for first, lines in blocks(text):
        joined = " ".join(lines)
        starts = [len(" ".join(lines[:i])) for i in range(len(lines))]
        for match in FRAGMENT.finditer(joined):
            if match.group(2) != "?":
                yield first + sum(start <= match.start() for start in starts[1:]), match.group(1)


def check(root):
    for path in cpp_files(root, "src", "tests", "bench", "docs"):
        for line, word in fragments((root / path).read_text(encoding="utf-8")):
            yield f"{path}:{line}: a sentence that begins with {word}; write a whole one"


if __name__ == "__main__":
    finish(list(check(ROOT)), "comments")
