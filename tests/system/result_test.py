"""What a run leaves: where it comes from, weights that load elsewhere, and no result of training that came to nothing."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import unittest

from launch import CLASSES, CONVOLUTIONS, PAIRS, POINTS, SMALL, SystemTest, in_process, on_ranks

NUMERICS = 5


class FinishedRun(SystemTest):
    def finished_run(self, command):
        run = self.folder / "run"
        finished = self.run_to_end([*command, "--output", str(run)])
        self.assertEqual(finished.exit_code, 0, finished.output)
        return run, finished.output

    def read(self, program, arguments):
        """What a Python program says of the mixture of a short run, whose folder it is given."""
        run, _ = self.finished_run(in_process("--grid", "1x2", "--generations", "1", *arguments))
        reader = subprocess.run([sys.executable, "-B", program or run / "mixture" / "read_mixture.py",
                                 *([run / "mixture"] if program else [])], text=True, capture_output=True, check=False)
        self.assertEqual(reader.returncode, 0, reader.stderr)
        return reader.stdout


class Result(FinishedRun):
    def test_says_where_it_comes_from(self):
        arguments = ["--grid", "1x2", "--generations", "2", "--seed", "7", *POINTS]
        run, output = self.finished_run(on_ranks(3, *arguments))
        result = json.loads((run / "result.json").read_text(encoding="utf-8"))
        self.assertEqual(result["command"], ["lipizz", *arguments, "--output", str(run)])
        self.assertEqual((result["experiment"]["dataset"], result["experiment"]["model"],
                          result["experiment"]["seed"]), ("ring8", "mlp-2d", 7))
        self.assertLessEqual(result["times"]["started"], result["times"]["ended"])
        self.assertGreater(result["times"]["training_s"], 0)
        self.assertEqual([host["ranks"] for host in result["hosts"]], [[0, 1, 2]])
        self.assertIn("Open MPI", result["program"]["libraries"]["MPI"])
        log = (run / "run.log").read_text(encoding="utf-8")
        for line in ("generation 2 of 2: best cell (0, ", "cell 1: final modes ", "best cell (0, "):
            self.assertIn(line, log)
        self.assertRegex(output, r"best cell \(0, [01]\): modes [0-9.]+ \(lower is better; real samples among themselves ")
        self.assertTrue((run / "samples" / "best.png").is_file())
        self.assertIn(f"samples: {run}/samples/best.png", output)

    def assert_read(self, arguments):
        self.assertIn("generators agree with the examples", self.read(None, arguments))

    def test_points_are_read_with_numpy(self):
        self.assert_read(POINTS)

    def test_classes_are_read_with_numpy(self):
        self.assert_read(CLASSES)

    def test_pairs_are_read_with_numpy(self):
        self.assert_read(PAIRS)

    def test_training_that_diverges_everywhere(self):
        wild = [word for who in ("generator", "discriminator") for word in
                ("--set", f"{who}.optimizer=sgd", "--set", f"{who}.learning_rate=10", "--set", f"{who}.loss=lsgan")]
        run = self.folder / "run"
        finished = self.run_to_end(on_ranks(3, "--grid", "1x2", "--generations", "2", *SMALL, *wild, "--set",
                                            "fitness.loss=lsgan", "--set", "score.metric=blocks", "--output", run))
        self.assertEqual(finished.exit_code, NUMERICS, finished.output)
        self.assert_one_message(finished, r"every cell went NaN or infinite in generations 1 to 2.*lower generator\.")
        self.assertFalse((run / "result.json").exists())


class Torch(FinishedRun):
    def assert_read(self, arguments, expected):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("there is no PyTorch (Debian: python3-torch)")
        self.assertEqual(self.read(pathlib.Path(__file__).with_name("torch_reader.py"), arguments), expected)

    def test_a_chain_is_loaded(self):
        self.assert_read(CONVOLUTIONS, "chain agrees\n")

    def test_classes_and_attention_are_loaded(self):
        self.assert_read(CLASSES, "network agrees\n")

    def test_pairs_are_loaded(self):
        self.assert_read(PAIRS, "network agrees\n")


if __name__ == "__main__":
    unittest.main()
