"""The best of all generations is kept, and a run that no longer improves ends, the same on any ranks."""

import json
import subprocess
import sys
import unittest

from launch import POINTS, SystemTest, in_process, on_ranks

GRID = ["--grid", "1x2", *POINTS]
PATIENCE = 3
ENDLESS = 1000


class Best(SystemTest):
    def finish(self, name, command):
        finished = self.run_to_end([*command, "--output", str(self.folder / name)])
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def read(self, name, *path):
        return json.loads((self.folder / name).joinpath(*path).read_text(encoding="utf-8"))

    def scores(self, name):
        """(score, generation, cell) of each line that has one."""
        lines = map(json.loads, (self.folder / name / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
        return [(line["score"], line["generation"], line["cell"]) for line in lines if line["score"] is not None]

    def best_so_far(self, name, generation):
        return min(score for score in self.scores(name) if score[1] <= generation)

    def test_the_mixture_of_the_best_generation_is_kept_as_it_was(self):
        output = self.finish("run", on_ranks(3, *GRID, "--generations", "12"))
        score, generation, cell = min(self.scores("run"))
        best = self.read("run", "result.json")["score"]["best"]
        self.assertEqual((best["value"], best["generation"], best["col"]), (score, generation, cell))
        self.assertEqual(best["mixture"], "mixture-best")
        self.assertEqual(self.read("run", "mixture-best", "mixture.json")["origin"],
                         {"generation": generation, "row": 0, "col": cell, "score": score})
        self.assertEqual(f"the best generation was {generation} of 12" in output, generation != 12)
        reader = self.folder / "run" / "mixture-best" / "read_mixture.py"
        read = subprocess.run([sys.executable, "-B", reader], text=True, capture_output=True, check=False)
        self.assertIn("generators agree with the examples", read.stdout, read.stderr)
        # A run that ends there has the same generator at its end.
        self.finish("shorter", in_process(*GRID, "--generations", generation))
        file = f"cell-{cell}.safetensors"
        self.assertEqual((self.folder / "run" / "mixture-best" / file).read_bytes(),
                         (self.folder / "shorter" / "mixture" / file).read_bytes())

    def test_patience_ends_a_run_the_same_on_any_ranks(self):
        settings = [*GRID, "--set", f"stop.patience={PATIENCE}"]
        output = self.finish("run", on_ranks(3, *settings, "--generations", ENDLESS))
        ended = self.read("run", "result.json")["generations"]
        self.assertIn(f"no better score for {PATIENCE} generations: the run ends with generation {ended}", output)
        self.assertEqual(self.best_so_far("run", ended)[1], ended - PATIENCE, "not before, and not later")
        self.assertEqual(len(self.scores("run")), 2 * ended)
        self.finish("in-process", in_process(*settings, "--generations", ENDLESS))
        self.finish("as-long", in_process(*GRID, "--generations", ended))
        for other in ("in-process", "as-long"):
            self.assertEqual(self.read("run", "result.json")["fingerprint"],
                             self.read(other, "result.json")["fingerprint"], other)
        # With more patience it goes on.
        finished = self.run_to_end(in_process("--resume", self.folder / "run", "--set", f"stop.patience={ENDLESS}",
                                              "--generations", ended + 2))
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.finish("longer", in_process(*GRID, "--generations", ended + 2))
        self.assertEqual(self.read("run", "result.json")["fingerprint"],
                         self.read("longer", "result.json")["fingerprint"])
        self.assertEqual(self.read("run", "result.json")["score"]["best"], self.read("longer", "result.json")["score"]["best"])


if __name__ == "__main__":
    unittest.main()
