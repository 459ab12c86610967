#!/usr/bin/env python3
"""Ways of training one pair, side by side: `bench/techniques.py build/release/bin/lipizz [--model pix2pix | mlp]`.

Trains one cell in each way, `--peer PYTHON` the same networks in PyTorch as well, and prints a table as that of the
founding report: the time of a pass over the data, the memory of the largest process, and losses after the same number
of samples. The time of a batch is what a run of twice as many takes longer, so that starts, scores and files are left
out. All run one after the other, each process with one thread.
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

MODELS = {  # batch, samples of a pass, batches of the shorter run, settings
    "pix2pix": (4, 400, 6, {"model": "pix2pix", "data.dataset": "facades", "generator.loss": "pix2pix",
                            "discriminator.loss": "pix2pix", "fitness.loss": "pix2pix", "generator.l1_weight": 100}),
    "mlp": (100, 60_000, 400, {"model": "mlp", "data.dataset": "mnist", "generator.loss": "bce",
                               "discriminator.loss": "bce", "fitness.loss": "bce"}),
}
COMMON = {"generator.learning_rate": 2e-4, "discriminator.learning_rate": 2e-4, "generator.average_decay": 0,
          "discriminator.penalty": "none", "fitness.n_samples": 20, "score.n_samples": 20,
          "score.n_samples_training": 20, "score.metric": "blocks", "checkpoint.every": "off", "samples.rows": 1,
          "samples.columns": 1, "samples.cell_rows": 1, "samples.cell_columns": 1}


def both(setting, value):
    return {f"generator.{setting}": value, f"discriminator.{setting}": value}


NATIVE = "mixed precision and products, bf16"  # for processors that have these
TWO_RANKS = {"data.micro_batches": 2, "ranks_per_cell": 2}
WAYS = {  # settings, and what techniques_torch.py calls it
    "one rank": ({}, ["plain"]),
    "mixed precision, fp16": (both("mixed_precision", "fp16"), ["fp16"]),
    "mixed precision, bf16": (both("mixed_precision", "bf16"), ["bf16"]),
    NATIVE: ({**both("mixed_precision", "bf16"), "precision": "bf16"}, []),
    "accumulation, 4 parts": ({"data.micro_batches": 4}, ["accumulation"]),
    "clipping, norm 2": (both("clip_norm", 2), ["clipping"]),
    "data parallel, 2 ranks": ({**TWO_RANKS, **both("zero", 0)}, ["ddp"]),
    "ZeRO 1": (TWO_RANKS, ["zero1"]),
    "ZeRO 2": ({**TWO_RANKS, **both("zero", 2)}, []),
    "ZeRO 3": ({**TWO_RANKS, **both("zero", 3)}, ["fsdp"]),
    "pipeline, 2 stages": ({"data.micro_batches": 4, "ranks_per_cell": 2, "pipeline.stages": 2}, []),
}
NAMES_OF_PEERS = {"ddp": "DDP, 2 ranks", "zero1": "DDP, ZeRO 1", "fsdp": "FSDP (ZeRO 3)"}


def ranks_below(process):
    """The processes that mpirun has started, but for the master."""
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            parent = int(re.search(r"PPid:\s+(\d+)", status.read_text(encoding="utf-8"))[1])
            environment = (status.parent / "environ").read_bytes().split(b"\0")
        except (OSError, TypeError):
            continue
        if parent == process.pid and b"OMPI_COMM_WORLD_RANK=0" not in environment:
            yield status


def most_memory(process):
    """The most megabytes that one of these took, by the time that they have ended."""
    most = 0
    while process.poll() is None:
        for status in ranks_below(process):
            try:
                found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"))
            except OSError:
                continue
            most = max(most, int(found[1]) if found else 0)
        time.sleep(0.2)
    return most / 1024


def run(program, settings, batch, batches):
    """Seconds, megabytes and losses of one generation of so many batches."""
    ranks = settings.get("ranks_per_cell", 1)
    told = {**settings, "data.batch_size": batch, "data.batches_per_generation": batches}
    words = [word for name, value in told.items() for word in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "run"
        process = subprocess.Popen(["mpirun", "--oversubscribe", "-np", str(1 + ranks), program, "--grid", "1x1",
                                    "--generations", "1", "--quiet", *words, "--output", folder])
        megabytes = most_memory(process)
        if process.returncode != 0:
            sys.exit(f"techniques.py: a run ended with {process.returncode}")
        seconds = json.loads((folder / "result.json").read_text(encoding="utf-8"))["profile"][0]["wall_s"]["total"]
        line = json.loads((folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    return seconds, megabytes, line["discriminator"]["loss"], line["generator"]["loss"]


def ours(options, way):
    batch, n_samples, batches, of_model = MODELS[options.model]
    settings = {**COMMON, **of_model, **WAYS[way][0]}
    seconds = []
    for _ in range(options.rounds):
        few = run(options.program, settings, batch, batches)
        many = run(options.program, settings, batch, 2 * batches)
        seconds.append((many[0] - few[0]) / batches * n_samples / batch)
    return statistics.median(seconds), *many[1:]


def peer(options, technique):
    batch, n_samples, batches, _ = MODELS[options.model]
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    script = pathlib.Path(__file__).with_name("techniques_torch.py")
    text = subprocess.run([options.peer, script, technique, "--model", options.model, "--batch", str(batch),
                           "--batches", str(batches), "--data", options.data], env=environment, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    told = json.loads(text.splitlines()[-1])
    return told["seconds"] * n_samples / batch, told["megabytes"], told["d_loss"], told["g_loss"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--model", choices=MODELS, default="pix2pix")
    parser.add_argument("--peer", help="a Python that has PyTorch, numpy and pillow")
    parser.add_argument("--data", default=os.environ.get("LIPIZZ_DATA_DIR", ""))
    parser.add_argument("--peer-alone", action="store_true", help="rows of PyTorch and no others")
    parser.add_argument("--rounds", type=int, default=1, help="of which the median is taken")
    parser.add_argument("--ways", nargs="*", default=[way for way in WAYS if way != NATIVE],
                        help=f"some of these alone, or `{NATIVE}` where the processor has it")
    options = parser.parse_args()
    print("| way | s for a pass | beside one rank | MB of a process | D loss | G loss |\n|---|---|---|---|---|---|")
    first = {}

    def tell(name, who, found):
        seconds, megabytes, d_loss, g_loss = found
        beside = seconds / first.setdefault(who, seconds)
        print(f"| {name} | {seconds:.1f} | {beside:.2f} | {megabytes:.0f} | {d_loss:.3f} | {g_loss:.3f} |", flush=True)

    for way in options.ways:
        if not options.peer_alone:
            tell(way, "lipizz", ours(options, way))
        for technique in WAYS[way][1] if options.peer else []:
            tell(f"PyTorch: {NAMES_OF_PEERS.get(technique, way)}", "PyTorch", peer(options, technique))


if __name__ == "__main__":
    main()
