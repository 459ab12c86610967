#!/usr/bin/env python3
"""Adds what run.py has trained to the records, and writes docs/results.md from these.

    bench/quality/table.py [--runs runs/quality] [--records bench/quality/results] [--output docs/results.md]

Only rows that have finished runs stand in it. CPU seconds are all of the training loop's, without the scores in
between, which are the measurement; they are shown as multiples of one pair's by the same program on the same machine.
"""
import argparse
import math
import statistics
import textwrap
from pathlib import Path

from experiments import load_experiments
from records import PARTS, RECORDS, read_records, updated, write_records

HERE = Path(__file__).resolve().parent


def number(value):
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def with_error(values):
    """The mean with its standard error, where there are several: two digits of the error, and as many of the mean."""
    mean = statistics.fmean(values)
    if len(values) == 1:
        return number(mean)
    error = statistics.stdev(values) / len(values) ** 0.5
    if error <= 1e-9 * abs(mean):
        return f"{number(mean)} ± 0"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{mean:.{decimals}f} ± {error:.{decimals}f}"


def told_once(records):
    """Rows of the same settings as one, with all of their names."""
    names = {}
    for name, row in records.items():
        names.setdefault(row["settings"], []).append(name)
    return {f"{first} (also: {'; '.join(others)})" if others else first: records[first]["runs"]
            for first, *others in names.values()}


def machine_of(run):
    """Records that know no machine go by their numerics level."""
    return run.get("machine", run["numerics"])


def one_pairs_seconds(records):
    """The median of the CPU seconds of one pair, by machine."""
    runs = records.get("one pair", {"runs": []})["runs"]
    return {machine: statistics.median(run["cpu_s"] for run in runs if machine_of(run) == machine)
            for machine in {machine_of(run) for run in runs}}


def costs(runs, seconds):
    """The median of the runs' CPU seconds, as a multiple of one pair's."""
    known = [run["cpu_s"] / seconds[machine_of(run)] for run in runs if machine_of(run) in seconds]
    return number(statistics.median(known)) if known else "-"


def table_of(dataset, description, records):
    if not records:
        return []
    runs = [run for row in records.values() for run in row["runs"]]
    judges = {run["judge"] for run in runs}
    if len(judges) > 1:
        raise SystemExit(f"{dataset}: scores of different judges, {judges}, are not put side by side")
    first = runs[0]
    figures = description["figures"]
    lines = [f"## {dataset}", "",
             f"Real samples score {number(first['floor'])} among themselves, {first['n_samples']:,} of them; "
             f"judge `{first['judge']}`.", "",
             "| row | seeds | score | " + " | ".join(f"`{figure}`" for figure in figures) +
             " | after 1/4, 1/2, 3/4 | CPU |", "|---" * (5 + len(figures)) + "|"]
    seconds = one_pairs_seconds(records)
    for name, runs in told_once(records).items():
        way = [[run["way"][i] for run in runs if run["way"][i] is not None] for i in range(len(PARTS))]
        cells = [name, str(len(runs)), with_error([run["score"] for run in runs]),
                 *(with_error([run["details"][figure] for run in runs]) for figure in figures),
                 ", ".join(number(statistics.fmean(part)) if part else "-" for part in way),
                 costs(runs, seconds)]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "Fingerprints, seed by seed:", ""]
    lines += [f"- {name}: " + " ".join(f"`{run['fingerprint']}`" for run in runs)
              for name, runs in told_once(records).items()]
    return lines + [""]


def wrapped(line):
    return textwrap.fill(line, 100, subsequent_indent="  ", break_on_hyphens=False) if line.startswith("- ") else line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, default=Path("runs/quality"))
    parser.add_argument("--records", type=Path, default=RECORDS)
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "docs" / "results.md")
    arguments = parser.parse_args()
    everything = load_experiments()
    head = (HERE / "results_head.txt").read_text()
    lines = [""] + [f"- **{name}**: {row['what']}." for name, row in everything["rows"].items()] + [""]
    for dataset, description in everything["datasets"].items():
        path = arguments.records / f"{dataset}.json"
        records = updated(read_records(path), arguments.runs, everything, dataset)
        write_records(path, records)
        lines += table_of(dataset, description, records)
    arguments.output.write_text(head + "\n".join(wrapped(line) for line in lines))


if __name__ == "__main__":
    main()
