#!/usr/bin/env python3
"""What larger machines would do, from what measure.py has seen: `bench/scaling/model.py scaling.json`.

With N cells, a worker for each, on P cores a generation takes

    max(N master, t max(1, N / P) + m latency + b / bandwidth)

t: one core's seconds of a cell, from the largest grid in one process; m, b: messages and bytes that a cell gets in a
generation; master: the master's CPU seconds for each cell's line. The grids that were measured on ranks stand beside what
the model says of them; the larger ones have a core for each cell. A cluster's own network is given by --latency and
--bandwidth (of bench_exchange on two of its nodes). Starts are told as measured: on a cluster ranks start at once, each
on its core, and what that takes there is Open MPI's.
"""

import argparse
import json
import pathlib

SIZES = (2, 4, 8, 16, 32, 64, 100)


class Model:
    def __init__(self, measured, latency_s, bytes_per_s):
        largest = measured["grids"][-1]
        exchange = largest["ranks"]["exchange"]
        self.cell_s = largest["one core"]["generation_s"] / largest["cells"]
        self.exchange_s = (exchange["messages_per_cell_and_generation"] * latency_s +
                           exchange["bytes_per_cell_and_generation"] / bytes_per_s)
        self.master_s = measured["master_s"]

    def generation(self, n_cells, n_cores):
        """Its seconds, and what they are bound by."""
        cells_s = self.cell_s * max(1, n_cells / n_cores) + (self.exchange_s if n_cells > 1 else 0)
        master_s = self.master_s * n_cells
        if master_s > cells_s:
            return master_s, "the master"
        return cells_s, "training" if self.cell_s > self.exchange_s else "the exchange"


def comparison(model, measured):
    lines = [f"{'grid':>8} {'cores':>6} {'measured':>10} {'model':>10} {'ratio':>7}"]
    for row in measured["grids"]:
        seen, (said, _) = row["ranks"]["generation_s"], model.generation(row["cells"], row["cores"])
        lines.append(f"{row['grid']:>8} {row['cores']:6} {seen:10.3f} {said:10.3f} {said / seen:7.2f}")
    return "\n".join(lines)


def prediction(model):
    lines = [f"{'grid':>8} {'cores':>6} {'generation':>11} {'efficiency':>11}   bound by"]
    for size in SIZES:
        n_cells = size * size
        seconds, bound = model.generation(n_cells, n_cells)
        lines.append(f"{f'{size}x{size}':>8} {n_cells:6} {seconds:9.3f} s {100 * model.cell_s / seconds:9.1f} %   {bound}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=pathlib.Path)
    parser.add_argument("--latency", type=float, help="seconds of a small message")
    parser.add_argument("--bandwidth", type=float, help="bytes a second")
    arguments = parser.parse_args()
    measured = json.loads(arguments.measured.read_text(encoding="utf-8"))
    own = Model(measured, measured["latency_s"], measured["bytes_per_s"])
    print(comparison(own, measured))
    starts = ", ".join(f"{n} ranks {seconds:.2f} s" for n, seconds in measured["starts_s"].items())
    print(f"\na cell {own.cell_s:.4f} s, its exchange {own.exchange_s:.4f} s, a line {own.master_s * 1e6:.0f} us of the "
          f"master\nfrom start to end with one batch, on {measured['cores']} cores: {starts}\n")
    print(prediction(Model(measured, arguments.latency or measured["latency_s"],
                           arguments.bandwidth or measured["bytes_per_s"])))


if __name__ == "__main__":
    main()
