"""Checks that clang 16 takes what the preset fuzz builds, which nobody builds every day.

It reads the sources of the fuzz targets and, all at once, every header that they could link against:
most faults lie there, since clang and GCC differ in templates and constants. A fault that only
another source shows is found by building the preset. The argument is the build folder, where CMake
has written the headers that include every layer, loss and optimizer.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from source_tree import ROOT, cpp_files, finish

SKIPPED = 77
OPTIONS = ["-std=c++20", "-DLIPIZZ_ASSERTIONS", "-Wall", "-Wextra", "-Werror",
           "-isystem/usr/include/eigen3"]  # where Debian has it
# Other libraries, which the preset does without or no target needs.
NOT_BUILT = ("src/nn/cuda", "src/nn/cpu/onednn", "src/app")


def headers(root):
    """All headers of src/ that the preset builds, as they are included."""
    return [path.relative_to("src").as_posix() for path in cpp_files(root, "src")
            if path.suffix == ".hpp" and not path.as_posix().startswith(NOT_BUILT)]


def complaint(compiler, includes, name, text, *more):
    """The first error that the compiler finds in a text, or nothing."""
    command = [compiler, *OPTIONS, *(f"-I{folder}" for folder in includes), *more, "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    errors = [line for line in result.stderr.splitlines() if " error: " in line]
    return None if result.returncode == 0 else f"{name}: {(errors or [result.stderr])[0]}"


def check(compiler, root, build):
    """The headers are compiled once, and every source is read with what came of it."""
    includes = [root / "src", root / "tests", root / "tests/fuzz", build / "src/nn/generated"]
    text = "".join(f'#include "{header}"\n' for header in headers(root))
    with tempfile.TemporaryDirectory() as folder:
        compiled = pathlib.Path(folder) / "headers.pch"
        found = complaint(compiler, includes, "headers", text, "-x", "c++-header", "-fpch-instantiate-templates", "-o",
                          compiled)
        if found:
            return [found]

        def complaint_of(source):
            return complaint(compiler, includes, source.name, source.read_text(encoding="utf-8"), "-fsyntax-only",
                             "-include-pch", compiled, "-x", "c++")

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            sources = sorted((root / "tests/fuzz").glob("*_fuzz.cpp"))
            return [line for line in pool.map(complaint_of, sources) if line]


if __name__ == "__main__":
    program = shutil.which("clang++-16")
    if not program:
        print("skipped: clang 16, with which the preset fuzz is built, is not installed (Debian: clang-16)")
        sys.exit(SKIPPED)
    finish(check(program, ROOT, pathlib.Path(sys.argv[1])), "fuzz_targets")
