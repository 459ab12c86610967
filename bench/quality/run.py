#!/usr/bin/env python3
"""Trains the rows of experiments.json on some datasets: each row of each dataset is a sweep over seeds.

    bench/quality/run.py build/release/bin/lipizz DATASET ... [--rows NAME ...] [--seeds 5] [--jobs 2]
                         [--output runs/quality] [--plan]

What was cut off goes on where it was, and what is finished stays. Each run has one thread, so that
`--jobs` of them run side by side. table.py writes the table.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONFIGS = HERE.parent.parent / "configs"
EXPERIMENTS = Path(os.environ.get("LIPIZZ_EXPERIMENTS", HERE / "experiments.json"))
# Nobody meets a neighbour's copy, but the mixture is that of the neighbourhood.
APART = {network: {"opponents": "partner"} for network in ("generator", "discriminator")}


def merged(settings, changes):
    """`changes` over `settings`; an operator with a name of its own replaces the other one whole."""
    result = copy.deepcopy(settings)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both and "kind" not in value else copy.deepcopy(value)
    return result


def experiment(dataset, row):
    """The settings of a row on a dataset."""
    settings = json.loads((CONFIGS / dataset["config"]).read_text())
    settings = merged(settings, dataset["settings"])
    if row.get("apart"):
        settings = merged(settings, APART)
    settings = merged(settings, row.get("settings", {}))
    rows, columns = row.get("grid", (2, 2))
    settings["grid"] = {"rows": rows, "columns": columns}
    settings["generations"] = round(dataset["generations"] * row.get("length", 1))
    for network in ("generator", "discriminator"):  # a schedule ends with the run
        if "generations" in settings.get(network, {}).get("schedule", {}):
            settings[network]["schedule"]["generations"] = settings["generations"]
    settings["threads"] = 1
    # Nothing is saved while they are timed.
    settings["checkpoint"] = {"every": "off"}
    return settings


def name_of(row):
    return row.replace(",", "").replace(" ", "-")


def main():
    everything = json.loads(EXPERIMENTS.read_text())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("datasets", nargs="+", choices=sorted(everything["datasets"]))
    parser.add_argument("--rows", nargs="+", choices=sorted(everything["rows"]), default=list(everything["rows"]))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("runs/quality"))
    parser.add_argument("--plan", action="store_true", help="say what would run, and train nothing")
    arguments = parser.parse_args()
    code = 0
    for dataset in arguments.datasets:
        for row in arguments.rows:
            folder = arguments.output / dataset / name_of(row)
            folder.mkdir(parents=True, exist_ok=True)
            sweep = {"name": name_of(row), "seeds": arguments.seeds,
                     "base": experiment(everything["datasets"][dataset], everything["rows"][row])}
            (folder / "sweep.json").write_text(json.dumps(sweep, indent=2) + "\n")
            print(f"== {dataset}: {row}", flush=True)
            command = [arguments.program, "sweep", "plan" if arguments.plan else "run", str(folder / "sweep.json"),
                       "--output", str(folder / "runs")]
            command += ["--no-timing"] if arguments.plan else ["--jobs", str(arguments.jobs)]
            done = subprocess.run(command, check=False)
            if done.returncode == 75:
                return 75  # stopped: all that is left stays for the next time
            code = code or done.returncode
    return code


if __name__ == "__main__":
    sys.exit(main())
