#!/usr/bin/env python3
"""Writes docs/results.md from what run.py has trained.

    bench/quality/table.py [--runs runs/quality] [--output docs/results.md]

Only rows that have finished runs stand in it. CPU seconds are those of training, exchange and whatever chooses
individuals, without the scores in between, which are the measurement; wall seconds are the same of one cell, as on a
core for each.
"""
import argparse
import json
import statistics
import textwrap
from pathlib import Path

from run import EXPERIMENTS, name_of

HERE = Path(__file__).resolve().parent
PARTS = (0.25, 0.5, 0.75)
HEAD = """# Is a grid better than one GAN?

Written by `bench/quality/table.py` from finished runs; `bench/quality/README.md` says how to repeat
them. Lower scores are better; what a score is on each dataset, [datasets.md](datasets.md#metrics)
says. Every score is that of fresh samples of the best cell's mixture after the last generation, its
mean over the seeds with the standard error. All rows of a dataset have the same networks, losses
and rates; `one pair` trains for as long as each cell of a grid does, which is what somebody with a
core for each cell compares, and `one pair, four times as long` takes as many steps as a 2x2 grid. A
schedule of rates ends with its run.

Measured before there was this bench, by hand (MNIST, the perceptron of the published settings,
rates that stay what they are, 2x2, 30 generations, 10,000 samples, three seeds, 2026-11-23), and
what the defaults rest on:

| opponents | score |
|---|---|
| anybody of the neighbourhood, for both networks (published) | 262, 180, 175 |
| partners alone, mixtures evolved | 78.8, 87.2, 85.3 |
| generators their partners; discriminators in a fifth of their steps a neighbour's fakes (default) | 66.1, 64.3, 66.5 |
| the same in half of the steps, one seed | 83.6 |

The tables below do not show that of every dataset. On the ring, where rates fall along a schedule,
neighbours' fakes are worse than none and the published opponents do no harm; and one pair with as
many steps as a grid is better than all grids of it, since its samples come closer to the modes.
Rows with fewer than five seeds, and datasets that are missing, have not been run yet.

The rows:
"""


def load(folder):
    """A finished run: its score on fresh samples, its details, what it cost, and its scores on the way."""
    result = json.loads((folder / "result.json").read_text())
    best = next(cell for cell in result["cells"]
                if {"row": cell["row"], "col": cell["col"]} == result["best_cell"])
    cpu = sum(seconds for rank in result["profile"] for routine, seconds in rank["cpu_s"].items()
              if routine not in ("mixture", "total"))
    n_cells = result["grid"]["rows"] * result["grid"]["columns"]
    return {"seed": result["experiment"]["seed"], "score": result["score"]["value"], "details": best["details"],
            "judge": result["score"]["judge"], "floor": result["score"]["floor"], "n_samples": result["score"]["n_samples"],
            "cpu": cpu, "wall": cpu / n_cells, "fingerprint": result["fingerprint"],
            "way": on_the_way(folder / "metrics.jsonl", result["generations"])}


def on_the_way(metrics, generations):
    """The best cell's score at each part of the run, or the last one before."""
    best = {}
    for line in metrics.read_text().splitlines():
        entry = json.loads(line)
        if entry.get("score") is not None:
            best[entry["generation"]] = min(best.get(entry["generation"], float("inf")), entry["score"])
    found = []
    for part in PARTS:
        before = [generation for generation in best if generation <= part * generations]
        found.append(best[max(before)] if before else None)
    return found


def number(value):
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def with_error(values):
    """The mean with its standard error, where there are several."""
    mean = number(statistics.fmean(values))
    return f"{mean} ± {number(statistics.stdev(values) / len(values) ** 0.5)}" if len(values) > 1 else mean


def rows_of(dataset, rows, runs):
    """The rows of a dataset that have finished runs, each with these."""
    for name, row in rows.items():
        folders = sorted((runs / dataset / name_of(name) / "runs" / "runs").glob("*"))
        finished = [load(folder) for folder in folders if (folder / "result.json").exists()]
        if finished:
            yield name, row, sorted(finished, key=lambda run: run["seed"])


def table_of(dataset, description, rows, runs):
    lines = []
    found = list(rows_of(dataset, rows, runs))
    if not found:
        return lines
    judges = {run["judge"] for _, _, finished in found for run in finished}
    if len(judges) > 1:
        raise SystemExit(f"{dataset}: scores of different judges, {judges}, are not put side by side")
    first = found[0][2][0]
    figures = [figure for figure in description["figures"] if figure in first["details"]]
    lines += [f"## {dataset}", "",
              f"Real samples score {number(first['floor'])} among themselves, {first['n_samples']:,} of them; "
              f"judge `{first['judge']}`.", "",
              "| row | seeds | score | " + " | ".join(f"`{figure}`" for figure in figures) +
              " | after 1/4, 1/2, 3/4 | CPU s | wall s on a core for each cell |",
              "|---" * (6 + len(figures)) + "|"]
    for name, _, finished in found:
        way = [[run["way"][i] for run in finished if run["way"][i] is not None] for i in range(len(PARTS))]
        cells = [name, str(len(finished)), with_error([run["score"] for run in finished]),
                 *(with_error([run["details"][figure] for run in finished]) for figure in figures),
                 ", ".join(number(statistics.fmean(part)) if part else "-" for part in way),
                 number(statistics.median(run["cpu"] for run in finished)),
                 number(statistics.median(run["wall"] for run in finished))]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "Fingerprints, seed by seed:", ""]
    lines += [f"- {name}: " + " ".join(f"`{run['fingerprint']}`" for run in finished) for name, _, finished in found]
    return lines + [""]


def wrapped(line):
    return textwrap.fill(line, 100, subsequent_indent="  ", break_on_hyphens=False) if line.startswith("- ") else line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, default=Path("runs/quality"))
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "docs" / "results.md")
    arguments = parser.parse_args()
    everything = json.loads(EXPERIMENTS.read_text())
    lines = HEAD.splitlines() + [""]
    lines += [f"- **{name}**: {row['what']}." for name, row in everything["rows"].items()] + [""]
    for dataset, description in everything["datasets"].items():
        lines += table_of(dataset, description, everything["rows"], arguments.runs)
    arguments.output.write_text("\n".join(wrapped(line) for line in lines))


if __name__ == "__main__":
    main()
