#!/usr/bin/env python3
"""How a grid's time grows with its cells: `bench/scaling/measure.py build/release/bin`.

Each grid trains in one process on one core, and on ranks, a worker for each cell, on all cores, alternating. The settings
are those of the founding paper (configs/lipizzaner-mnist.json) with shorter generations; the built-in digits stand in for
MNIST where LIPIZZ_DATA_DIR is not set. Prints the table of that paper with efficiencies, writes what it has measured to a
file that model.py reads, again after every round, and tells how two workers train beside two bare copies of their steps.
It takes a quarter of an hour of an otherwise idle machine.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

CONFIG = pathlib.Path(__file__).parents[2] / "configs" / "lipizzaner-mnist.json"
# Those of the paper, and what a cell does besides: fitness, and weights of mixtures with their scores.
ROUTINES = ("gather", "train", "update_genomes", "mutate", "evaluate", "mixture")
STARTS = {5: "2x2", 17: "4x4", 65: "8x8"}
N_STARTS = 3
# A batch of points and next to nothing beside it.
LEAST = {"data.dataset": "ring8", "data.batches_per_generation": 1, "fitness.n_samples": 20, "score.n_samples": 20,
         "score.n_samples_training": 20, "checkpoint.every": "off", "load_balancing": "static"}


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def mpirun(n_ranks, *options):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", "--oversubscribe", "--bind-to", "none", *root, *options, "-np", str(n_ranks)]


def pin_to_one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def watched(command, folder, every_s):
    """Runs a command, yields its process now and then while it does, and stops with its output where it fails."""
    path = pathlib.Path(folder) / "output"
    with open(path, "w", encoding="utf-8") as output:
        running = subprocess.Popen(list(map(str, command)), stdout=output, stderr=subprocess.STDOUT)
    while running.poll() is None:
        yield running
        time.sleep(every_s)
    if running.returncode:
        sys.exit(path.read_text(encoding="utf-8"))


def cpu_seconds(pid):
    """Of a process and all its threads so far; nothing where it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, arguments):
        self.bin = arguments.bin.resolve()
        self.n_generations = arguments.generations
        self.workload = {"data.batches_per_generation": arguments.batches, "score.every": arguments.generations,
                         "score.n_samples": 1000, "score.n_samples_training": 100, "checkpoint.every": "off",
                         "load_balancing": "static",
                         "data.dataset": "mnist" if os.environ.get("LIPIZZ_DATA_DIR") else "glyphs"}

    def run(self, command, *, folder, **options):
        ended = subprocess.run([*map(str, command), "--quiet", "--output", str(folder / "run")], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, **options)
        if ended.returncode:
            sys.exit(ended.stdout)
        return json.loads((folder / "run" / "result.json").read_text(encoding="utf-8"))

    def training(self, grid, n_ranks):
        """The result of a run, in one process on one core where there are no ranks."""
        launcher = mpirun(n_ranks) if n_ranks else []
        with tempfile.TemporaryDirectory() as folder:
            return self.run([*launcher, self.bin / "lipizz", "--config", CONFIG, "--grid", grid, "--generations",
                             self.n_generations, *words(self.workload)], folder=pathlib.Path(folder),
                            preexec_fn=None if n_ranks else pin_to_one_core)

    def seconds_of_start(self, n_ranks, grid):
        """Start and end of a run that trains one batch."""
        seconds = []
        for _ in range(N_STARTS):
            with tempfile.TemporaryDirectory() as folder:
                begin = time.monotonic()
                self.run([*mpirun(n_ranks), self.bin / "lipizz", "--grid", grid, "--generations", 1, *words(LEAST)],
                         folder=pathlib.Path(folder))
                seconds.append(time.monotonic() - begin)
        return statistics.median(seconds)

    def master_seconds(self, n_generations=400):
        """What one line of metrics of a cell costs the master: CPU seconds, from runs of 16 cells."""
        with tempfile.TemporaryDirectory() as folder:
            command = [*mpirun(5), self.bin / "lipizz", "--grid", "4x4", "--generations", n_generations, "--quiet",
                       *words({**LEAST, "score.every": n_generations}), "--output", f"{folder}/run"]
            samples = []
            metrics = pathlib.Path(folder) / "run" / "metrics.jsonl"
            for running in watched(command, folder, 0.1):
                master = first_child(running.pid)
                lines = metrics.read_bytes().count(b"\n") if metrics.exists() else 0
                spent = cpu_seconds(master) if master and lines else None
                if spent is not None:
                    samples.append((lines, spent))
        (first_lines, first_s), (last_lines, last_s) = samples[0], samples[-1]
        return (last_s - first_s) / max(1, last_lines - first_lines)

    def bare_steps(self):
        """Seconds of the steps of a generation, of two copies that do nothing else, side by side on two cores."""
        commands = [["taskset", "-c", str(core), self.bin / "bench_step", "mlp", "100"]
                    for core in sorted(os.sched_getaffinity(0))[:2]]
        copies = [subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) for command in commands]
        return statistics.mean(seconds_of_steps(copy.communicate()[0], self.workload["data.batches_per_generation"])
                               for copy in copies)

    def beside_bare_steps(self, n_rounds):
        """What two bare copies of the steps take, over the training of two workers."""
        rounds = []
        for _ in range(n_rounds):
            bare_s = self.bare_steps()
            training_s = seconds_of_routines(self.training("1x2", 3))["train"] / 2 / self.n_generations
            rounds.append(bare_s / training_s)
        return statistics.median(rounds)

    def network(self):
        """Seconds of a small message, and bytes a second of a large one."""
        output = subprocess.run([*mpirun(2), self.bin / "bench_exchange"], check=True, capture_output=True, text=True).stdout
        times = {int(size): float(us) * 1e-6 for size, us in re.findall(r"(\d+) bytes +([\d.]+) us", output)}
        small, large = min(times), max(times)
        return {"latency_s": times[small], "bytes_per_s": (large - small) / max(1e-9, times[large] - times[small])}


def seconds_of_steps(output, n_batches):
    """At the published settings the discriminator trains on every second batch: on these one of each, in turn."""
    ms = {name: float(value) for name, value in re.findall(r"^(generator step|one of each in turn) .* step +([\d.]+) ms",
                                                            output, re.MULTILINE)}
    n_pairs = (n_batches + 1) // 2
    return 1e-3 * ((n_batches - n_pairs) * ms["generator step"] + n_pairs * ms["one of each in turn"])


def first_child(pid):
    """mpirun starts rank 0 first."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    found = children.read_text(encoding="utf-8").split() if children.exists() else []
    return int(found[0]) if found else None


def n_cells(grid):
    rows, columns = map(int, grid.split("x"))
    return rows * columns


def seconds_of_routines(result):
    """Of all workers together: what they waited for neighbours, and CPU seconds of the rest."""
    total = dict.fromkeys(ROUTINES, 0.0)
    for worker in result["profile"]:
        for name, seconds in {**worker["wall_s"], **worker["cpu_s"]}.items():
            if name in total:
                total[name] += seconds
    return total


def median_of(results):
    """Medians of the rounds, of figures for a generation."""
    n = results[0]["generations"]
    routines = [seconds_of_routines(result) for result in results]
    return {"generation_s": statistics.median(r["times"]["training_s"] for r in results) / n,
            "routines_s": {name: statistics.median(r[name] for r in routines) / n for name in ROUTINES},
            "exchange": results[0]["traffic"]["exchange"]}


def table(measured):
    lines = [f"{'grid':>6} {'one core':>10} {'on ranks':>10} {'speed-up':>9} {'cores':>6} {'efficiency':>11}   "
             "seconds of a generation"]
    for row in measured["grids"]:
        cores = row["cores"]
        speedup = row["one core"]["generation_s"] / row["ranks"]["generation_s"]
        lines.append(f"{row['grid']:>6} {row['one core']['generation_s']:10.3f} {row['ranks']['generation_s']:10.3f} "
                     f"{speedup:9.2f} {cores:6} {100 * speedup / cores:9.1f} %")
    lines += ["", f"{'weak':>6} {'seconds of a generation by cell and core':>40}"]
    for row in measured["grids"]:
        lines.append(f"{row['grid']:>6} {row['ranks']['generation_s'] * row['cores'] / row['cells']:40.4f}")
    largest = measured["grids"][-1]
    lines += ["", f"{largest['grid']:>6} {'one core':>10} {'on ranks':>10} {'ratio':>7}   CPU seconds of all cells in a "
              "generation; gather: seconds of waiting"]
    for name in ROUTINES:
        alone, ranks = (largest[kind]["routines_s"][name] for kind in ("one core", "ranks"))
        lines.append(f"{name:>15} {alone:10.4f} {ranks:10.4f} {alone / ranks if ranks else 0:7.2f}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="the folder of lipizz and bench_exchange")
    parser.add_argument("--grids", nargs="+", default=["1x1", "2x2", "3x3", "4x4"])
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--batches", type=int, default=200, help="of a generation (default: 200; a pass of MNIST: 600)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("scaling.json"))
    arguments = parser.parse_args()
    bench = Bench(arguments)
    measured = {"cores": len(os.sched_getaffinity(0)), "batches": arguments.batches, **bench.network(),
                "starts_s": {n: bench.seconds_of_start(n, grid) for n, grid in STARTS.items()},
                "master_s": bench.master_seconds()}
    runs = {}
    for number in range(1, arguments.rounds + 1):
        for grid in arguments.grids:
            for kind, n_ranks in (("one core", 0), ("ranks", n_cells(grid) + 1)):
                runs.setdefault((grid, kind), []).append(bench.training(grid, n_ranks))
        measured["grids"] = [{"grid": grid, "cells": n_cells(grid), "cores": min(measured["cores"], n_cells(grid)),
                              **{kind: median_of(runs[grid, kind]) for kind in ("one core", "ranks")}}
                             for grid in arguments.grids]
        arguments.output.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
        print(f"round {number} of {arguments.rounds}", file=sys.stderr)
    print(table(measured))
    print(f"\ntwo workers train at {100 * bench.beside_bare_steps(arguments.rounds):.1f} % of the speed of two bare copies of "
          "their steps")


if __name__ == "__main__":
    main()
