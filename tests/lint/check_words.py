"""Checks that tracked text speaks of the project alone: no path of anybody's machine, no host of a
package registry, no left-over merge marker, no note of things to do later."""

import re

from source_tree import ROOT, finish, tracked_files

WORDS = {
    r"(?<![\w./])/work/": "a path of one machine",
    r"(?<![\w.])/home/\w+": "a path of one machine",
    r"\bdeb\.debian\.org|snapshot\.debian\.org|\bpypi\.org|registry\.npmjs|\bcrates\.io|proxy\.golang":
        "the host of a package registry; name the package",
    r"\b(this|our|next|last|previous|each) session\b|\bsubagents?\b":
        "talks about how it was written; say what it does",
    r"^(<<<<<<<|>>>>>>>) ": "a merge marker",
    r"\b(TODO|FIXME|XXX)\b": "a note to do later; do it or open an issue",
}
TEXT_SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".md", ".txt", ".cmake", ".json", ".supp", ".sbatch", ""}
EXEMPT = {"tests/lint/check_words.py", "tests/lint/lint_test.py"}


def findings_in(name, text):
    for pattern, reason in WORDS.items():
        for match in re.finditer(pattern, text, re.MULTILINE):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: `{match.group().strip()}` is {reason}"


def check(root):
    for path in tracked_files(root):
        if path.suffix in TEXT_SUFFIXES and path.as_posix() not in EXEMPT:
            yield from findings_in(path, (root / path).read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    finish(list(check(ROOT)), "words")
