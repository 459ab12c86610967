#!/usr/bin/env python3
"""How long `lipizz compare` takes for many runs: `bench/many_runs.py build/release/bin/lipizz [--runs 1000]`.

Trains one short run, copies it under other names, each with a seed, a rate, a score and a fingerprint of its own, and
prints the seconds of the quickest of three comparisons, of the table alone and with the page.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

RATES = (0.0001, 0.0002, 0.0004, 0.0008)
ROUNDS = 3


def trained(program, folder):
    arguments = {"data.dataset": "ring8", "data.max_samples": 500, "fitness.n_samples": 50, "score.n_samples": 100,
                 "score.n_samples_training": 50, "checkpoint.every": "off"}
    settings = [word for name, value in arguments.items() for word in ("--set", f"{name}={value}")]
    subprocess.run([program, "--grid", "4x4", "--generations", "50", "--quiet", *settings, "--output", folder], check=True)


def copy(run, number, to):
    """A run whose score is its own; its curve is that of all."""
    to.mkdir()
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    config["seed"] = number
    config["generator"]["learning_rate"] = RATES[number % len(RATES)]
    result = json.loads((run / "result.json").read_text(encoding="utf-8"))
    result["score"]["value"] *= 1 + number * 0.618 % 1
    result["fingerprint"] = f"{number:016x}"
    for name, content in (("config.json", config), ("result.json", result)):
        (to / name).write_text(json.dumps(content, indent=2), encoding="utf-8")
    shutil.copy(run / "metrics.jsonl", to)


def seconds_of(command):
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder that the runs stay in")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        run, runs, page = folder / "run", folder / "runs", folder / "runs.html"
        trained(program, run)
        runs.mkdir()
        for number in range(arguments.runs):
            copy(run, number, runs / f"run-{number:04}")
        print(f"{arguments.runs} runs, result.json of {(run / 'result.json').stat().st_size / 1024:.0f} KiB each")
        print(f"the table: {seconds_of([program, 'compare', runs]):.2f} s")
        print(f"with the page: {seconds_of([program, 'compare', runs, '--output', page]):.2f} s, "
              f"{page.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
