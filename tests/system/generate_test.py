"""Samples of a run are the same bytes however often they are made, leave the run as it was, and are what its generators
make elsewhere."""

import json
import shutil
import struct
import subprocess
import sys
import unittest

from launch import CLASSES, FEW, PAIRS, POINTS, SystemTest, in_process

USAGE, CHECKPOINT = 2, 6
SHORT = ["--grid", "1x2", "--generations", 1, "--quiet"]


def array(path):
    """Shape, type and bytes of a .npy file."""
    content = path.read_bytes()
    n = struct.unpack("<H", content[8:10])[0]
    header = eval(content[10:10 + n], {}, {})  # a literal of our own program's
    return header["shape"], header["descr"], content[10 + n:]


def files(folder):
    """Everything in a folder: bytes, times and rights."""
    return {path.relative_to(folder): (path.stat().st_mtime_ns, path.stat().st_mode,
                                       path.read_bytes() if path.is_file() else None)
            for path in sorted(folder.rglob("*"))}


class Generate(SystemTest):
    def succeed(self, command):
        finished = self.run_to_end(command)
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def train(self, *arguments):
        run = self.folder / "run"
        self.succeed(in_process(*SHORT, *arguments, "--output", run))
        return run

    def assert_same_twice(self, run, *arguments):
        """Of the array that both times give."""
        before = files(run)
        for name in ("first", "second"):
            (self.folder / name).mkdir(exist_ok=True)
            self.succeed(in_process("generate", run, "--output", self.folder / name / "a.npy", *arguments))
        first, second = ({path.name: path.read_bytes() for path in (self.folder / name).iterdir()}
                         for name in ("first", "second"))
        self.assertEqual(first, second)
        self.assertEqual(files(run), before)
        self.addCleanup(shutil.rmtree, self.folder / "second", ignore_errors=True)
        return array(self.folder / "first" / "a.npy")

    def test_ten_thousand_points_are_the_same_and_as_the_reader_s(self):
        run = self.train(*POINTS, "--set", "data.max_samples=500")
        shape, kind, content = self.assert_same_twice(run, "--number", 10000)
        self.assertEqual((shape, kind), ((10000, 2), "<f4"))
        # Means and deviations of other samples of the same mixture, within what chance allows.
        subprocess.run([sys.executable, "-B", run / "mixture/read_mixture.py", "--samples", "10000", "--seed", "1",
                        "--output", self.folder / "theirs.npy"], check=True, stdout=subprocess.DEVNULL)
        theirs = array(self.folder / "theirs.npy")[2]
        for dimension in (0, 1):
            ours, others = (struct.unpack("<20000f", each)[dimension::2] for each in (content, theirs))
            mean, other_mean = sum(ours) / 10000, sum(others) / 10000
            variance = sum((x - mean) ** 2 for x in ours) / 10000
            other_variance = sum((x - other_mean) ** 2 for x in others) / 10000
            self.assertGreater(variance, 0)
            self.assertLess(abs(mean - other_mean), 5 * (variance * 2 / 10000) ** 0.5)
            self.assertLess(abs(other_variance / variance - 1), 0.15)

    def test_images_of_classes_with_spectral_norm_and_attention(self):
        run = self.train(*CLASSES, "--set", "score.metric=blocks")
        shape, kind, content = self.assert_same_twice(run, "--number", 30, "--nearest", 2)
        self.assertEqual((shape, kind), ((30, 28, 28), "|u1"))
        labels = self.folder / "first/a-labels.npy"
        self.assertEqual(array(labels)[2], bytes(i % 10 for i in range(30)))
        lines = (self.folder / "first/a-nearest.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(lines), 1 + 30 * 2)
        self.succeed(in_process("generate", run, "--number", 30, "--class", 7, "--output", self.folder / "sevens"))
        self.assertEqual(array(self.folder / "sevens/labels.npy")[2], bytes([7] * 30))
        self.assertEqual(len(list((self.folder / "sevens").glob("*.png"))), 30)
        self.succeed(in_process("generate", run, "--number", 30, "--class", 7, "--output", self.folder / "sevens.npy"))
        sevens = array(self.folder / "sevens.npy")[2]
        self.assertNotEqual(sevens, content)
        for i in (7, 17, 27):
            own = slice(i * 784, (i + 1) * 784)
            self.assertEqual(sevens[own], content[own])

    def test_pairs_have_the_condition_on_the_left(self):
        run = self.train(*PAIRS)
        shape, kind, content = self.assert_same_twice(run, "--number", 4)
        self.assertEqual((shape, kind), ((4, 32, 64), "|u1"))
        # An outline has two shades; what an untrained generator makes of it has more.
        halves = [{content[row * 64 + x] for row in range(4 * 32) for x in columns}
                  for columns in (range(32), range(32, 64))]
        self.assertLessEqual(len(halves[0]), 2)
        self.assertGreater(len(halves[1]), 2)

    def test_bad_input_is_told_in_one_message(self):
        run = self.train(*FEW, "--dataset", "ring8")
        (self.folder / "there.npy").write_text("mine", encoding="utf-8")
        for arguments, pattern in (
                ([self.folder / "none"], "generate .*none: expected the folder of a run.*found nothing"),
                ([run, "--number", 0], "--number: expected a whole number from 1 to .*found \"0\""),
                ([run, "--class", 3], "--class: this run's networks are not told classes"),
                ([run, "--between", 4], "--between: expected two seeds, for example 3,8; found \"4\""),
                ([run, "--output", self.folder / "there.npy"], "there.npy exists; remove it"),
                ([run, "--set", "seed=3"], "--set seed: the run is what it is"),
                ([run, "--grid", "2x2"], "generate does not take --grid")):
            finished = self.run_to_end(in_process("generate", *arguments))
            self.assertEqual(finished.exit_code, USAGE, finished.output)
            self.assert_one_message(finished, pattern)
        self.assertEqual((self.folder / "there.npy").read_text(encoding="utf-8"), "mine")
        weights = next((run / "mixture").glob("cell-*.safetensors"))
        weights.write_bytes(weights.read_bytes()[:-4])
        finished = self.run_to_end(in_process("generate", run))
        self.assertEqual(finished.exit_code, CHECKPOINT, finished.output)
        self.assert_one_message(finished, f"{weights.name}.*use another copy")
        config = json.loads((run / "config.json").read_text(encoding="utf-8"))
        self.assertEqual(config["data"]["dataset"], "ring8")


if __name__ == "__main__":
    unittest.main()
