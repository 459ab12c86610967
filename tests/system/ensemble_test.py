"""`lipizz ensemble`: the same bytes each time, a folder that others take like a run's, and nothing where it fails."""

import json
import shutil
import subprocess
import sys
import unittest

from launch import CLASSES, POINTS, SystemTest, in_process

USAGE, CHECKPOINT = 2, 6
SHORT = ["--grid", "1x2", "--generations", 1, "--quiet"]
FEW_POINTS = [*POINTS, "--set", "data.max_samples=500"]


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Ensemble(SystemTest):
    def succeed(self, command):
        finished = self.run_to_end(command)
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def train(self, name, *arguments):
        self.succeed(in_process(*SHORT, *arguments, "--output", self.folder / name))
        return self.folder / name

    def make(self, name, *arguments):
        self.succeed(in_process("ensemble", *arguments, "--output", self.folder / name))
        return self.folder / name

    def check_of(self, one, two, *arguments):
        """Makes it twice, and uses it as a run."""
        before = files(one), files(two)
        made = self.make("made", one, two, *arguments)
        self.assertEqual(files(made), files(self.make("again", one, two, *arguments)))
        self.assertEqual((files(one), files(two)), before)
        about = json.loads((made / "ensemble.json").read_text(encoding="utf-8"))
        members = [member for member in about["members"] if member["weight"] > 0]
        self.assertAlmostEqual(sum(member["weight"] for member in members), 1)
        for member in members:
            weights = (made / "mixture" / member["file"]).read_bytes()
            alike = {path.read_bytes()[-1000:] for path in (self.folder / member["run"] / "mixture").glob("cell-*")}
            self.assertIn(weights[-1000:], alike)
        subprocess.run([sys.executable, "-B", made / "mixture/read_mixture.py"], check=True, stdout=subprocess.DEVNULL)
        self.succeed(in_process("generate", made, "--number", 12, "--output", self.folder / "samples.npy"))
        self.make("of-an-ensemble", made, one, *arguments)
        return about

    def test_of_points_is_not_worse_than_its_best_member(self):
        one, two = (self.train(name, *FEW_POINTS, "--seed", seed) for name, seed in (("one", 1), ("two", 2)))
        about = self.check_of(one, two)
        best = min(member["score"] for member in about["members"])
        self.assertLessEqual(about["score"], 1.02 * best)  # of other samples, 10,000 of them
        scores = json.loads(self.succeed(in_process("evaluate", self.folder / "made", "--json")))
        score = next(each for each in scores["scores"] if each["name"] == "score")
        self.assertLess(abs(score["value"] - about["score"]), 5 * score["error"])

    def test_of_images_with_classes(self):
        one, two = (self.train(name, *CLASSES, "--set", "score.metric=blocks", "--seed", seed)
                    for name, seed in (("one", 1), ("two", 2)))
        about = self.check_of(one, two, "--number", 200, "--size", 2)
        self.assertLessEqual(sum(member["weight"] > 0 for member in about["members"]), 2)

    def test_bad_input_is_told_in_one_message(self):
        one, two = (self.train(name, *FEW_POINTS, "--seed", seed) for name, seed in (("one", 1), ("two", 2)))
        grid = self.train("grid", *FEW_POINTS, "--dataset", "grid25")
        there, new = self.folder / "there", self.folder / "new"
        there.mkdir()
        for arguments, pattern in (
                ([one, two], "ensemble: expected --output DIR"),
                ([one, two, "--output", there], "there exists; remove it, or name another place"),
                ([one, self.folder / "none", "--output", new], "none: expected the folder of a run.*found nothing"),
                ([one, one, "--output", new], "one: this run is named twice"),
                ([one, grid, "--output", new], "grid: expected the dataset ring8, as .*one has, found grid25"),
                ([one, "--size", 0, "--output", new], "--size: expected a whole number from 1 to .*found \"0\""),
                ([one, "--weighting", "genetics", "--output", new], "genetics.*did you mean \"genetic\""),
                ([one, "--grid", "2x2", "--output", new], "ensemble does not take --grid"),
                (["--output", new], "ensemble: expected RUN")):
            finished = self.run_to_end(in_process("ensemble", *arguments))
            self.assertEqual(finished.exit_code, USAGE, finished.output)
            self.assert_one_message(finished, pattern)
        weights = next((two / "mixture").glob("cell-*.safetensors"))
        weights.write_bytes(weights.read_bytes()[:-4])
        finished = self.run_to_end(in_process("ensemble", one, two, "--output", new))
        self.assertEqual(finished.exit_code, CHECKPOINT, finished.output)
        self.assert_one_message(finished, f"{weights.name}.*use another copy")
        shutil.rmtree(there)
        self.assertEqual({path.name for path in self.folder.iterdir()} & {"there", "new"}, set())
        self.assertFalse(list(self.folder.glob("*.tmp-*")))


if __name__ == "__main__":
    unittest.main()
