"""Makes the folder of a run that never was, of any size, as lipizz would have left it: for reports of
runs that would take days.

    python3 made_run.py FOLDER [--rows 8] [--columns 8] [--generations 1000] [--sheets 50]

Its scores fall, rise again after two thirds, and cell (0, 0) has a spike in one generation; a worker is
lost half-way. Everything is drawn from a fixed seed.
"""

import argparse
import json
import math
import pathlib
import random
import struct
import zlib

MASK = (1 << 64) - 1
SPIKE_AT, SPIKE = 137, 4321.0  # of cell (0, 0)


def rotated(word, by):
    return (word << by | word >> (64 - by)) & MASK


def mixed(word):
    return rotated(word * 0x87C37B91114253D5 & MASK, 31) * 0x4CF5AD432745937F & MASK


def digest(text):
    """core/hash.hpp's, of a text."""
    data = text.encode()
    n_words = len(data) // 8
    state = 0x9E3779B97F4A7C15
    for word in struct.unpack(f"<{n_words}Q", data[:8 * n_words]):
        state = (rotated(state ^ mixed(word), 27) * 5 + 0x52DCE729) & MASK
    tail = int.from_bytes(data[8 * n_words:], "little")
    h = ((state ^ (mixed(tail) if len(data) % 8 else 0)) + len(data)) & MASK
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ h >> 33) * factor & MASK
    return f"{h ^ h >> 33:016x}"


def checked(fields):
    text = json.dumps(fields, separators=(",", ":"))[:-1]
    return f'{text},"check":"{digest(text)}"}}\n'


def png(width, height, row):
    """A grey picture; row(y) gives its bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + row(y) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b""))


class MadeRun:
    def __init__(self, folder, rows, columns, generations, seed=1, score_every=1):
        self.folder = pathlib.Path(folder)
        self.rows, self.columns, self.generations, self.score_every = rows, columns, generations, score_every
        self.n_cells = rows * columns
        self.draw = random.Random(seed)
        self.rates = [[2e-4, 2e-4] for _ in range(self.n_cells)]

    def neighbours(self, cell):
        row, column = divmod(cell, self.columns)
        around = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
        return list(dict.fromkeys(r % self.rows * self.columns + c % self.columns for r, c in around))

    def score(self, cell, generation):
        if (cell, generation) == (0, SPIKE_AT):
            return SPIKE
        done = generation / self.generations
        trend = 40 + 900 * math.exp(-9 * done) + 60 * max(0, done - 0.66)
        return trend * (1 + 0.05 * math.sin(cell)) * self.draw.uniform(0.97, 1.06)

    def network(self, cell, generation, which):
        self.rates[cell][which] *= math.exp(self.draw.gauss(0, 0.01))
        around = self.neighbours(cell)
        taken = self.draw.random() < 0.04
        fields = {"loss": round(self.draw.gauss(0.7 + 0.6 * which, 0.05), 6), "rate": float(f"{self.rates[cell][which]:.6g}"),
                  "origin": self.draw.choice(around) if taken else cell, "replaced": taken or self.draw.random() < 0.6}
        return {**fields, **({} if which else {"objective": "bce"})}

    def line(self, cell, generation):
        members = [cell, *(one for one in self.neighbours(cell) if one != cell)]
        weights = [self.draw.random() for _ in members]
        row, column = divmod(cell, self.columns)
        return {"generation": generation, "cell": cell, "row": row, "col": column,
                "score": None if generation % self.score_every else round(self.score(cell, generation), 4),
                "details": {"tvd": round(self.draw.uniform(0.05, 0.1), 6)},
                "class_shares": [round(self.draw.uniform(0.09, 0.11), 6) for _ in range(10)],
                "generator": self.network(cell, generation, 0), "discriminator": self.network(cell, generation, 1),
                "mixture": [[one, round(weight / sum(weights), 6)] for one, weight in zip(members, weights)],
                "seconds": {"gather": 0.05, "train": 1.5, "update_genomes": 0.01, "mutate": 0.001, "evaluate": 0.4, "mixture": 0.2}}

    def write(self, n_sheets):
        self.folder.mkdir(parents=True)
        self.write_configuration()
        with open(self.folder / "metrics.jsonl", "w", encoding="utf-8") as file:
            for generation in range(1, self.generations + 1):
                file.writelines(checked(self.line(cell, generation)) for cell in range(self.n_cells))
        self.write_events()
        self.write_sheets(n_sheets)
        self.write_result()

    def write_configuration(self):
        (self.folder / "config.json").write_text(json.dumps({
            "name": "made", "seed": 1, "generations": self.generations, "grid": {"rows": self.rows, "columns": self.columns},
            "data": {"dataset": "mnist"}, "model": "mlp", "exchange": "sync",
            "score": {"every": self.score_every, "n_samples": 10000, "n_samples_training": 1000}}))

    def write_events(self):
        n_workers, at_s, lost_at = self.n_cells, 1.8e9, self.generations // 2
        ranks = [1 + cell for cell in range(self.n_cells)]
        moved = [2 if rank == 1 else rank for rank in ranks]
        with open(self.folder / "events.jsonl", "w", encoding="utf-8") as file:
            def tell(event, **fields):
                file.write(checked({"at_s": round(at_s, 3), "event": event, **fields}))
            tell("begun", generation=0, generations=self.generations, rows=self.rows, columns=self.columns,
                 hosts=["head", *(f"node{i // 16}" for i in range(n_workers))])
            tell("assigned", generation=0, rank_of_cell=ranks)
            tell("training")
            tell("scoring", metric="frechet", judge="00000000000000ab", floor=0.84)
            for generation in range(1, self.generations + 1):
                at_s += self.draw.uniform(2, 2.4)
                if generation == lost_at and n_workers > 1:
                    tell("late", rank=1, silent_s=5.1)
                    at_s += 10
                    tell("lost", rank=1)
                    tell("assigned", generation=generation - 1, rank_of_cell=moved)
                tell("generation", generation=generation, cell=0, score=50.0)
                if generation % 30 == 0:
                    tell("saved", generation=generation)
            tell("finished")

    def write_sheets(self, n_sheets):
        samples = self.folder / "samples"
        samples.mkdir()

        def noisy(y):  # about as hard to compress as digits of a young generator
            return bytes(self.draw.choice((0, 0, 0, self.draw.randrange(256))) for _ in range(280))
        for i in range(n_sheets):
            generation = 1 + round((self.generations * 0.66 - 1) * (i / max(n_sheets - 1, 1)) ** 2)
            (samples / f"best-gen{generation:03}.png").write_bytes(png(280, 280, noisy))
        (samples / "best.png").write_bytes(png(280, 280, noisy))

    def write_result(self):
        place = lambda cell: {"row": cell // self.columns, "col": cell % self.columns}
        cells = [{**place(cell), "score": 55.0 + cell, "fingerprint": f"{cell:016x}", "mixture": []} for cell in range(self.n_cells)]
        profile = [{"rank": 1 + cell, "cells": 1, "wall_s": {"gather": 100.0 + cell, "helpers": 50.0, "total": 2200.0},
                    "cpu_s": {"train": 1500.0, "evaluate": 400.0, "mixture": 200.0, "total": 2100.0}} for cell in range(self.n_cells)]
        count = {"messages": 4 * self.n_cells * self.generations, "bytes": 4 * 2_200_000 * self.n_cells * self.generations}
        (self.folder / "result.json").write_text(json.dumps({
            "fingerprint": "0123456789abcdef", "numerics": "avx2", "engine": "onednn",
            "grid": {"rows": self.rows, "columns": self.columns}, "generations": self.generations, "best_cell": place(0),
            "score": {"metric": "frechet", "judge": "00000000000000ab", "value": 55.0, "n_samples": 10000, "floor": 0.84, "floor_n_samples": 10000},
            "cells": cells, "experiment": {"name": "made", "dataset": "mnist", "model": "mlp", "seed": 1, "configuration": "00000000000000cd"},
            "command": ["lipizz", "--grid", f"{self.rows}x{self.columns}"],
            "times": {"started": "2026-01-31T12:00:00Z", "ended": "2026-01-31T12:40:00Z", "training_s": 2200.0, "from_generation": 0},
            "program": {"version": "1", "git": "", "build": "00000000000000ef", "libraries": {}}, "hosts": [], "profile": profile,
            "traffic": {"local": count, "exchange": {**count, "bytes_per_cell_and_generation": 8.8e6}, "unauthenticated": 0}, "inventory": []}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    for name, default in (("rows", 8), ("columns", 8), ("generations", 1000), ("sheets", 50)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    MadeRun(options.folder, options.rows, options.columns, options.generations).write(options.sheets)
