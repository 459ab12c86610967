#!/usr/bin/env python3
"""What moving cells off a slow worker is worth: `bench/scaling/slowed.py build/release/bin/lipizz`.

Ten cells on two workers, each with a core of its own. From the third generation on two processes compete for the core of
one of them, which should make it three times as slow: all the time, or by turns with the other. Prints the seconds of the
run with and without moves, over those of a placement that knows the speeds beforehand, which is computed from an undisturbed
run, and whether the fingerprints are the same.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from measure import mpirun, watched, words

CELLS, GENERATIONS, FROM, TURN = 10, 60, 3, 20
COMPETITORS = 2
BUSY = [sys.executable, "-c", "while True: pass"]
PINNED = ["bash", "-c", 'exec taskset -c $((OMPI_COMM_WORLD_RANK % 2)) "$0" "$@"']
SETTINGS = {"data.dataset": "ring8", "data.batches_per_generation": 50, "fitness.n_samples": 100, "score.every": GENERATIONS,
            "score.n_samples": 500, "checkpoint.every": "off"}


def slow_core(generation, by_turns):
    """The core whose worker is slow in this generation; nobody's at first."""
    if generation < FROM:
        return None
    return (generation // TURN) % 2 if by_turns else 1


class Competition:
    """Processes that take two thirds of a core."""

    def __init__(self):
        self.core, self.processes = None, []

    def move_to(self, core):
        if core == self.core:
            return
        for process in self.processes:
            process.kill()
            process.wait()
        self.core = core
        count = 0 if core is None else COMPETITORS
        self.processes = [subprocess.Popen(["taskset", "-c", str(core), *BUSY]) for _ in range(count)]


def last_generation(metrics):
    return metrics.read_bytes().count(b"\n") // CELLS if metrics.exists() else 0


def run(program, balancing, by_turns=None):
    """Its result; by_turns: None where nobody competes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*mpirun(3), *PINNED, program, "--grid", "2x5", "--generations", GENERATIONS, "--quiet",
                   *words({**SETTINGS, "load_balancing": balancing}), "--output", f"{folder}/run"]
        competition = Competition()
        try:
            for _ in watched(command, folder, 0.02):
                if by_turns is not None:
                    generation = last_generation(pathlib.Path(folder) / "run" / "metrics.jsonl")
                    competition.move_to(slow_core(generation, by_turns))
        finally:
            competition.move_to(None)
        log = (pathlib.Path(folder) / "run" / "run.log").read_text(encoding="utf-8")
        result = json.loads((pathlib.Path(folder) / "run" / "result.json").read_text(encoding="utf-8"))
        return result, log.count("holds the others up")


def least_makespan(slowness):
    """Of all ways to share the cells, in seconds of a cell on an undisturbed core."""
    return min(max(cells, slowness * (CELLS - cells)) for cells in range(CELLS + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    program = os.path.abspath(parser.parse_args().program)
    if len(os.sched_getaffinity(0)) < 2:
        sys.exit("slowed.py: it takes two cores")
    undisturbed, _ = run(program, "static")
    whole_s = undisturbed["times"]["training_s"]
    cell_s = whole_s / GENERATIONS / (CELLS / 2)
    knowing_s = cell_s * (FROM * CELLS / 2 + (GENERATIONS - FROM) * least_makespan(COMPETITORS + 1))
    print(f"undisturbed {whole_s:.1f} s; with one slowed and the best placement {knowing_s:.1f} s\n")
    for name, by_turns in (("one slowed", False), ("by turns", True)):
        for balancing in ("dynamic", "static"):
            result, n_moves = run(program, balancing, by_turns)
            same = result["fingerprint"] == undisturbed["fingerprint"]
            print(f"{name:12} {balancing:8} {result['times']['training_s']:7.1f} s  "
                  f"{result['times']['training_s'] / knowing_s:5.2f} times the best placement, {n_moves} moves, "
                  f"fingerprint {'the same' if same else 'ANOTHER'}")


if __name__ == "__main__":
    main()
