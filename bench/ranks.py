#!/usr/bin/env python3
"""What ranks of a cell are worth: `bench/ranks.py build/release/bin/lipizz [--model dcgan28] [--batch 64] [--ranks 2]`.

Trains one cell under mpirun, in as many micro-batches as ranks, on one rank and on all of them, in turn, and prints by
the clock how many times as fast a batch of both networks is on all, with the CPU seconds of all processes beside those
on one and the share of a batch's time for which the first rank waits for the others. A batch is what a run of twice as
many takes longer, so that starts, scores and files are left out. Both must have the same fingerprint.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile


def arguments_of(options, ranks, batches):
    settings = {"model": options.model, "data.dataset": options.dataset, "data.batch_size": options.batch,
                "data.micro_batches": options.micro_batches or options.ranks, "ranks_per_cell": ranks,
                "data.batches_per_generation": batches, "data.max_samples": 4 * options.batch, "fitness.n_samples": 1,
                "score.n_samples": 10, "score.n_samples_training": 10, "score.metric": options.metric,
                "checkpoint.every": "off", "discriminator.penalty": "none",
                "pipeline.stages": options.stages if ranks > 1 else 1, "pipeline.schedule": options.schedule}
    told = [f"{name}={value}" for name, value in settings.items()]
    return [word for setting in [*told, *options.set] for word in ("--set", setting)]


def run(options, ranks, batches):
    """Seconds that training took by the clock, of all processes' CPUs and of waiting for others, and the fingerprint."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "run"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["mpirun", "--oversubscribe", "-np", str(1 + ranks), options.program, "--grid", "1x1",
                        "--generations", "1", "--quiet", *arguments_of(options, ranks, batches), "--output", folder],
                       check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall = result["profile"][0]["wall_s"]
    return (wall["total"], cpu, wall["helpers"]), result["fingerprint"]


def batch(options, ranks):
    """Seconds of a batch, as run() has them, and the fingerprint of the longer run."""
    few, _ = run(options, ranks, options.batches)
    many, fingerprint = run(options, ranks, 2 * options.batches)
    return [(longer - shorter) / options.batches for longer, shorter in zip(many, few)], fingerprint


def described(speed, cpu, waited):
    return f"{speed:.2f} times as fast, {cpu:.2f} times the CPU seconds, {waited:.1f} % of the time waiting"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--model", default="dcgan28")
    parser.add_argument("--dataset", default="glyphs")
    parser.add_argument("--metric", default="blocks", help="one that costs little: `modes` for points")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--batches", type=int, default=8, help="of the shorter run")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--stages", type=int, default=1, help="of a pipeline on these ranks")
    parser.add_argument("--schedule", default="1f1b", help="gpipe or 1f1b")
    parser.add_argument("--micro-batches", type=int, help="as many as ranks unless told")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="more settings")
    options = parser.parse_args()
    rounds = []
    for _ in range(options.rounds):
        (alone, cpu_alone, _), expected = batch(options, 1)
        (together, cpu_together, waited), found = batch(options, options.ranks)
        if found != expected:
            raise SystemExit(f"ranks.py: fingerprint {found} on {options.ranks} ranks, {expected} on one")
        rounds.append((alone / together, cpu_together / cpu_alone, 100 * waited / together))
        print(f"a batch: {1e3 * alone:.1f} ms on one rank, {1e3 * together:.1f} on {options.ranks}; "
              f"{described(*rounds[-1])}", flush=True)
    print(f"median of {options.rounds}: {described(*map(statistics.median, zip(*rounds)))}")


if __name__ == "__main__":
    main()
