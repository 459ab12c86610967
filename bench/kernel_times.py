#!/usr/bin/env python3
"""Where the time of a program goes on a GPU, operation by operation, as Nsight Compute (ncu) measures it.

    bench/kernel_times.py [--skip 300] [--count 400] build/release/bin/bench_cells cuda dcgan64 64 1 bf16

Each kernel runs by itself while it is measured, so that the times are longer than they are side by side: what counts
are the shares. The first `--skip` kernels are left out, the next `--count` are measured. Kernels of ours are called as
the operation that they are for (src/nn/cuda), those of libraries by their own names.
"""
import argparse
import collections
import csv
import re
import subprocess
import sys

# What a demangled name has: a lambda in a function over a Work, in a staged convolution, or none.
OURS = (re.compile(r"(StagedConvolution)<[^>]*>::(\w+)"), re.compile(r"(WindowProducts)::(\w+)"),
        re.compile(r"(CudaWork)::(add_slices)"), re.compile(r"lipizz::(\w+)<(?:lipizz::\w+, )?lipizz::CudaWork>"),
        re.compile(r"lipizz::(\w+_kernel)\("))
SHAPES = re.compile(r"_(?:tilesize|align|execute)[^<]*|<.*|\(.*")  # of a library's kernel
MICROSECONDS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}


def operation_of(kernel):
    """The operation of ours that launched a kernel, or the library's name without its sizes."""
    for pattern in OURS:
        found = pattern.search(kernel)
        if found:
            return "::".join(found.groups())
    return SHAPES.sub("", kernel.removeprefix("void "))[:60]


def read_times(lines):
    """(kernel, microseconds) of each line of ncu's table, which begins after what else was printed."""
    rows = csv.reader(line for line in lines if line.startswith('"'))
    header = next(rows, None)
    if header is None or "Kernel Name" not in header:
        return []
    name, unit, value = (header.index(key) for key in ("Kernel Name", "Metric Unit", "Metric Value"))
    return [(row[name], MICROSECONDS[row[unit]] * float(row[value].replace(",", ""))) for row in rows]


def table_of(times):
    """Lines: share, microseconds, kernels, operation; the longest first."""
    sums, numbers = collections.Counter(), collections.Counter()
    for kernel, microseconds in times:
        operation = operation_of(kernel)
        sums[operation] += microseconds
        numbers[operation] += 1
    whole = sum(sums.values())
    yield f"{len(times)} kernels, {whole:.0f} us"
    for operation, microseconds in sums.most_common():
        yield f"{microseconds / whole:6.1%} {microseconds:10.1f} us {numbers[operation]:5}  {operation}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skip", type=int, default=300)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.program:
        parser.error("a program is needed")
    command = ["ncu", "--graph-profiling", "node", "--clock-control", "none", "--metrics", "gpu__time_duration.sum",
               "--csv", "--launch-skip", str(arguments.skip), "--launch-count", str(arguments.count)]
    try:
        ended = subprocess.run(command + arguments.program, stdout=subprocess.PIPE, text=True, check=False)
    except FileNotFoundError:
        sys.exit("kernel_times.py: ncu (Nsight Compute) is not installed")
    times = read_times(ended.stdout.splitlines())
    if not times:
        sys.exit(f"kernel_times.py: ncu measured nothing (exit code {ended.returncode}):\n{ended.stdout[-2000:]}")
    print("\n".join(table_of(times)))


if __name__ == "__main__":
    main()
