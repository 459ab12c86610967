#!/usr/bin/env python3
"""Counts the instructions of a training step, a fitness evaluation and a scoring, beside those that are kept.

    bench/instructions.py build/dev/bin/bench_instructions [--update]

Says so, and exits with 1, where one has grown by more than 5 %: a change that costs time shows here on a machine
whose clock says nothing. What has shrunk by as much is to be kept, too, with `--update`. The counts are those of
callgrind (Debian: valgrind) at the numerics level avx2, of the build of the preset `dev`; without valgrind, or on a
processor without AVX2, nothing is counted and the exit code is 77.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KEPT = Path(__file__).with_name("instructions.json")
TOLERANCE = 0.05
SKIPPED = 77


def counted(program):
    """The instructions of each function called counted_NAME, with all that it calls."""
    with tempfile.TemporaryDirectory(prefix="lipizz-instructions-") as folder:
        counts = Path(folder) / "counts"
        subprocess.run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}", program], check=True,
                       stdout=subprocess.DEVNULL)
        listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--auto=no", "--threshold=100", counts], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
    found = re.findall(r"^ *([\d,]+) \([^)]*%\)  .*::counted_(\w+)\(", listed, re.MULTILINE)
    result = {}
    for count, name in found:  # a function has a line for each file that its code comes from
        result[name] = max(result.get(name, 0), int(count.replace(",", "")))
    return result


def differences(found, kept):
    """Says of each count that differs too much in what; those of which only one side knows are such, too."""
    result = []
    for name in sorted(found.keys() | kept.keys()):
        if name not in found or name not in kept:
            result.append(f"{name}: only {'kept' if name in kept else 'found'}")
        elif abs(found[name] / kept[name] - 1) > TOLERANCE:
            change = "grown" if found[name] > kept[name] else "shrunk, to be kept with --update"
            result.append(f"{name}: {found[name] / kept[name]:.3f} times the instructions that are kept: {change}")
    return result


def can_count():
    cpu = Path("/proc/cpuinfo").read_text()
    return all(shutil.which(tool) for tool in ("valgrind", "callgrind_annotate")) and " avx2 " in cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true", help="keep what is counted")
    arguments = parser.parse_args()
    if not can_count():
        print("Skipped: instructions are counted with valgrind, on a processor with AVX2.")
        return SKIPPED
    found = counted(arguments.program)
    if arguments.update:
        KEPT.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n")
    kept = json.loads(KEPT.read_text())
    for name, count in sorted(found.items()):
        print(f"{name:10} {count:>13,} instructions, {count / kept.get(name, count):.3f} times those that are kept")
    complaints = differences(found, kept)
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
