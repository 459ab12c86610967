#!/usr/bin/env python3
"""Trains the rows of experiments.json on some datasets: each row of each dataset is a sweep over seeds.

    bench/quality/run.py build/release/bin/lipizz DATASET ... [--rows NAME ...] [--seeds 5] [--jobs 2]
                         [--output runs/quality] [--records bench/quality/results] [--again] [--plan]

Seeds that the records have are left out. A row that is an ensemble of another row's runs is made of those that are
finished. What was cut off goes on where it was, and what is finished stays. Each run has one thread, so that `--jobs`
of them run side by side. table.py keeps the results and writes the table.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

from experiments import experiment, finished_runs, folder_of, load_experiments, name_of
from records import RECORDS, read_records, record_of, recorded_runs


def seeds_to_train(arguments, dataset, settings):
    """Those that the records do not have, or all of them."""
    records = {} if arguments.again else read_records(arguments.records / f"{dataset}.json")
    known = {run["seed"] for run in recorded_runs(records, settings)}
    return [seed for seed in range(1, arguments.seeds + 1) if seed not in known]


def train(arguments, dataset, row, settings):
    """A sweep over seeds; its exit code."""
    seeds = seeds_to_train(arguments, dataset, settings)
    if not seeds:
        return 0
    folder = folder_of(arguments.output, dataset, row, settings)
    folder.mkdir(parents=True, exist_ok=True)
    sweep = {"name": name_of(row), "seeds": seeds, "base": settings}
    (folder / "sweep.json").write_text(json.dumps(sweep, indent=2) + "\n")
    command = [arguments.program, "sweep", "plan" if arguments.plan else "run", str(folder / "sweep.json"),
               "--output", str(folder / "runs")]
    command += ["--no-timing"] if arguments.plan else ["--jobs", str(arguments.jobs)]
    return subprocess.run(command, check=False).returncode


def put_together(arguments, dataset, row, settings, everything):
    """An ensemble of each finished run of another row; the exit code of the first that fails."""
    folder = folder_of(arguments.output, dataset, row, settings) / "runs" / "runs"
    for run in finished_runs(arguments.output, dataset, everything["rows"][row]["ensemble_of"], settings["of"]):
        if arguments.plan or (folder / run.name).exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([arguments.program, "ensemble", str(run.resolve()), "--output", str(folder / run.name),
                               "--weighting", settings["weighting"],
                               "--number", str(settings["of"]["score"]["n_samples"])], check=False)
        if done.returncode:
            return done.returncode
    return 0


def evaluate(arguments, dataset, row, settings, figures):
    """Asks for the figures that a finished run does not tell of itself; the exit code of the first that fails."""
    for folder in finished_runs(arguments.output, dataset, row, settings):
        record = record_of(folder)
        if all(figure in record["details"] for figure in figures):
            continue
        done = subprocess.run([arguments.program, "evaluate", str(folder), "--number", str(record["n_samples"]),
                               "--json"], check=False, stdout=subprocess.PIPE)
        if done.returncode:
            return done.returncode
        (folder / "evaluation.json").write_bytes(done.stdout)
    return 0


def main():
    everything = load_experiments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("datasets", nargs="+", choices=sorted(everything["datasets"]))
    parser.add_argument("--rows", nargs="+", choices=sorted(everything["rows"]), default=list(everything["rows"]))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("runs/quality"))
    parser.add_argument("--records", type=Path, default=RECORDS)
    parser.add_argument("--again", action="store_true", help="train what the records have, too")
    parser.add_argument("--plan", action="store_true", help="say what would run, and train nothing")
    arguments = parser.parse_args()
    code = 0
    for dataset in arguments.datasets:
        for row in arguments.rows:
            settings = experiment(everything, dataset, row)
            print(f"== {dataset}: {row}", flush=True)
            if "ensemble_of" in everything["rows"][row]:
                done = put_together(arguments, dataset, row, settings, everything)
            else:
                done = train(arguments, dataset, row, settings)
            if done == 75:
                return 75  # stopped: all that is left stays for the next time
            if not arguments.plan:
                done = done or evaluate(arguments, dataset, row, settings, everything["datasets"][dataset]["figures"])
            code = code or done
    return code


if __name__ == "__main__":
    sys.exit(main())
