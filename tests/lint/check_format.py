"""Checks that every C++ file is laid out as .clang-format says, by clang-format 14 (Debian 12's)."""

import re
import shutil
import subprocess
import sys

from source_tree import ROOT, cpp_files, finish

SKIPPED = 77


def clang_format_14():
    for name in ("clang-format-14", "clang-format"):
        if program := shutil.which(name):
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
            if re.search(r"version 14\.", version.stdout):
                return program
    return None


def main():
    program = clang_format_14()
    if not program:
        print("skipped: clang-format 14 is not installed, and others lay out differently")
        sys.exit(SKIPPED)
    files = cpp_files(ROOT, "src", "tests", "bench", "docs")
    result = subprocess.run([program, "--dry-run", *map(str, files)], cwd=ROOT, capture_output=True, text=True)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning", result.stderr, re.MULTILINE)))
    if result.returncode and not wrong:
        sys.exit(result.stderr)
    finish([f"{path}: not laid out; run clang-format -i on it" for path in wrong], "format")


if __name__ == "__main__":
    main()
