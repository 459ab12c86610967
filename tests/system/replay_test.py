"""What a run was is computed again to the same bits, at the cost that was said; what its networks descend from is what
a second reader of its metrics finds, and what its saved cells bear."""

import json
import random
import re
import shutil
import struct
import subprocess
import unittest

from launch import CONVOLUTIONS, POINTS, SMALL, SystemTest, in_process, on_ranks

USAGE, CHECKPOINT = 2, 6
FEW_POINTS = [*POINTS, "--set", "data.max_samples=500"]
# Most networks come from a neighbour, and many an offspring is worse than what it was trained from.
RATE = 0.02
TAKEOVERS = [*FEW_POINTS, "--set", "selection.kind=tournament", "--set", "selection.size=4",
             "--set", "replacement=elitist", "--set", "rate_mutation=log-normal",
             "--set", "loss_mutation=uniform", "--set", 'loss_mutation.losses=["bce","mse"]',
             *(word for who in ("generator", "discriminator") for word in ("--set", f"{who}.learning_rate={RATE}"))]


def tensors(path):
    """A safetensors file's tensors of few numbers."""
    content = path.read_bytes()
    n = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:8 + n])
    kinds = {"F64": "d", "U64": "Q", "F32": "f"}
    found = {}
    for name, tensor in header.items():
        if name == "__metadata__" or tensor["shape"] not in ([1], [3]):
            continue
        begin, end = tensor["data_offsets"]
        found[name] = struct.unpack(f"<{tensor['shape'][0]}{kinds[tensor['dtype']]}", content[8 + n + begin:8 + n + end])
    return found


class Replay(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        self.copies = self.folder / "copies"

    def succeed(self, command):
        finished = self.run_to_end(command)
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def train(self, *arguments, on=in_process, folder=None):
        self.succeed(on(*arguments, "--quiet", "--output", str(folder or self.run_folder)))

    def train_and_keep_all(self, generations, *arguments):
        """A run that is resumed for each generation, so that what it saves of each can be set aside."""
        stepwise = self.folder / "stepwise"
        self.train(*arguments, "--generations", 1, folder=stepwise)
        for generation in range(1, generations + 1):
            if generation > 1:
                self.succeed(in_process("--resume", str(stepwise), "--generations", generation, "--quiet"))
            saved = f"checkpoints/generation-{generation:06}"
            shutil.copytree(stepwise / saved, self.copies / saved)
        return stepwise

    def saved(self, folder, generation, cell):
        return folder / f"checkpoints/generation-{generation:06}/cell-{cell:04}.safetensors"

    def replay(self, generation, cell=None, *arguments, run=None):
        rows, columns = self.shape
        where = ["--cell", f"{cell // columns},{cell % columns}"] if cell is not None else []
        output = self.folder / f"replayed-{generation}-{cell}"
        shutil.rmtree(output, ignore_errors=True)
        told = self.succeed(in_process("replay", str(run or self.run_folder), "--generation", generation, *where,
                                       "--output", str(output), *arguments))
        return output, told

    def light_cone(self, cell, generation, start, last):
        """Cell-generations, by walking from cell to cell; the last generation of a run wants all members of its mixture."""
        rows, columns = self.shape

        def with_neighbours(cells):
            return cells | {(r + down) % rows * columns + (c + right) % columns
                            for r, c in ((n // columns, n % columns) for n in cells)
                            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        cells = with_neighbours({cell}) if generation == last else {cell}
        n = 0
        for _ in range(generation - start):
            n += len(cells)
            cells = with_neighbours(cells)
        return n

    def assert_replayed(self, generation, cell, last, *arguments, start=0, run=None):
        output, told = self.replay(generation, cell, *arguments, run=run)
        self.assertEqual(self.saved(output, generation, cell).read_bytes(),
                         self.saved(self.copies, generation, cell).read_bytes(), f"cell {cell} at {generation}")
        said = re.search(r"^(\d+) cell-generations? of (\d+) .* about (\S+) s of CPU time", told, re.M)
        computed = re.search(r"computed (\d+) cell-generations? in (\S+) s of CPU time", told)
        self.assertEqual(int(said[1]), self.light_cone(cell, generation, start, last))
        self.assertEqual(computed[1], said[1])
        self.assertIn(f"{said[1]} of {said[1]} lines of metrics", told)
        return int(said[1]), float(said[3]), float(computed[2])

    # Replay

    def test_a_cell_of_a_run(self):
        self.shape = 3, 4
        grid = ["--grid", "3x4", *FEW_POINTS]
        self.train_and_keep_all(3, *grid)
        self.train(*grid, "--generations", 3, on=lambda *arguments: on_ranks(5, *arguments))
        for generation, cell in ((1, 7), (2, 0), (3, 10)):
            self.assert_replayed(generation, cell, 3, "--from-seed")
        self.assertEqual(self.replay(3, 10)[1].count("saved cells, fingerprints of the result"), 1)

    def ten_of_ten(self, generations, *arguments, on=in_process):
        """Ten random cells and generations of a run, from its seed and from what a stopped run has saved. Prints what
        was said and what it took."""
        rows, columns = self.shape
        grid = ["--grid", f"{rows}x{columns}", *arguments]
        stepwise = self.train_and_keep_all(generations, *grid)
        self.train(*grid, "--generations", generations, on=on)
        draw = random.Random(19)
        said_s = took_s = 0
        for _ in range(10):
            generation, cell = draw.randint(1, generations), draw.randrange(rows * columns)
            n, said, took = self.assert_replayed(generation, cell, generations, "--from-seed")
            print(f"cell {cell} at {generation}: {n} cell-generations, {said} s said, {took} s of CPU time")
            said_s, took_s = said_s + said, took_s + took
        print(f"all: {said_s:.3g} s said, {took_s:.3g} s of CPU time, {took_s / said_s:.3f}")
        return stepwise

    def test_ten_of_ten_on_points(self):
        self.shape = 4, 4
        stepwise = self.ten_of_ten(12, *POINTS, on=lambda *arguments: on_ranks(5, *arguments))
        # The run that was resumed again and again has saved its last two generations.
        self.assertIn("no cell has to be trained", self.replay(12, 5, run=stepwise)[1])
        shutil.rmtree(stepwise / "checkpoints/generation-000012")
        self.assert_replayed(12, 5, 12, start=11, run=stepwise)

    def test_ten_of_ten_on_images(self):
        self.shape = 4, 4
        self.ten_of_ten(6, *SMALL)

    def test_ten_of_ten_with_convolutions(self):
        self.shape = 2, 2
        self.ten_of_ten(5, *CONVOLUTIONS)

    def test_all_cells_are_a_run_that_can_be_gone_on_with(self):
        self.shape = 2, 2
        self.train("--grid", "2x2", *FEW_POINTS, "--generations", 4)
        output, told = self.replay(2)
        self.assertIn("--resume", told)
        self.succeed(in_process("--resume", str(output), "--quiet"))
        result, again = (json.loads((folder / "result.json").read_text()) for folder in (self.run_folder, output))
        self.assertEqual(again["fingerprint"], result["fingerprint"])

    def test_what_cannot_be_replayed_is_refused(self):
        self.train("--grid", "1x2", *POINTS, "--generations", 1, "--set", "exchange=async")
        finished = self.run_to_end(in_process("replay", str(self.run_folder), "--generation", 1))
        self.assertEqual(finished.exit_code, USAGE)
        self.assertIn("asynchronous", finished.output)
        self.assertEqual(len(finished.output.splitlines()), 1, finished.output)

    # Lineage

    def lineage(self, *arguments):
        return json.loads(subprocess.run(in_process("lineage", self.run_folder, *arguments, "--json"), check=True,
                                         capture_output=True, text=True).stdout)

    def metrics(self):
        lines = map(json.loads, (self.run_folder / "metrics.jsonl").read_text().splitlines())
        return {(line["generation"], line["cell"]): line for line in lines}

    def naive_lineage(self, metrics, network, generation, cell):
        """(generation, cell, event, rate) of each ancestor: what a person would do with a pencil."""
        steps = []
        while generation > 0:
            told = metrics[generation, cell][network]
            event = "trained" if told["replaced"] else "copied" if told.get("copied") else "kept"
            steps.append([generation, cell, event, told["rate"] if told["replaced"] else None])
            if event != "kept" and told["origin"] != cell:
                age = metrics[generation, cell].get("ages", {}).get(str(told["origin"]), 0)
                generation, cell = generation - 1 - age, told["origin"]
            else:
                generation -= 1
        steps.append([0, cell, "seeded", RATE])
        for younger, older in zip(reversed(steps[:-1]), reversed(steps[1:])):
            if younger[3] is None:
                younger[3] = older[3]
        return steps

    def assert_lineages(self):
        rows, columns = self.shape
        metrics = self.metrics()
        last = max(generation for generation, _ in metrics)
        events = set()
        for cell in range(rows * columns):
            for network in ("generator", "discriminator"):
                found = self.lineage(f"{cell // columns},{cell % columns}", "--network", network)
                steps = [[a["generation"], a["row"] * columns + a["col"], a["event"], a["rate"]] for a in found]
                self.assertEqual(steps, self.naive_lineage(metrics, network, last, cell))
                events |= {(a["event"], a["parent"] is not None and
                            (a["parent"]["row"], a["parent"]["col"]) != (a["row"], a["col"])) for a in found}
                self.assert_as_saved(tensors(self.saved(self.run_folder, last, cell)), network, found, columns)
        return events

    def assert_as_saved(self, tensors_of_cell, network, found, columns):
        """The saved cell knows its learning rate, the cell that it was trained from, and its optimizer's steps: moments
        travel with a network, so that the steps of all its ancestors are counted."""
        _, step, origin = tensors_of_cell[f"{network}.loss_step_origin"]
        trained = [a for a in found if a["event"] == "trained"]
        batches = 5
        self.assertEqual(step, batches * len(trained))
        self.assertEqual(f"{tensors_of_cell[f'{network}.learning_rate'][0]:.6g}", f"{found[0]['rate']:.6g}")
        if trained:
            self.assertEqual(origin, trained[0]["parent"]["row"] * columns + trained[0]["parent"]["col"])

    def test_lineages(self):
        self.shape = 3, 3
        self.train("--grid", "3x3", *TAKEOVERS, "--generations", 8)
        events = self.assert_lineages()
        self.assertLessEqual({("trained", True), ("trained", False), ("kept", False), ("seeded", False)}, events)

    def test_lineages_without_waiting(self):
        self.shape = 2, 2
        self.train("--grid", "2x2", *TAKEOVERS, "--generations", 20,
                   "--set", "exchange=async", on=lambda *arguments: on_ranks(5, *arguments))
        self.assert_lineages()

    def test_a_lineage_that_breaks_off(self):
        self.shape = 1, 1
        self.train("--grid", "1x1", *FEW_POINTS, "--generations", 4)
        metrics = self.run_folder / "metrics.jsonl"
        lines = metrics.read_text().splitlines(keepends=True)
        metrics.write_text("".join([lines[0], lines[1].replace("rate", "mate"), *lines[2:]]))
        finished = self.run_to_end(in_process("lineage", str(self.run_folder)))
        self.assertEqual(finished.exit_code, CHECKPOINT)
        self.assertRegex(finished.output, "expected the line of generation 2 of cell 0,0, found it missing or damaged")


if __name__ == "__main__":
    unittest.main()
