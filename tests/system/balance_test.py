"""Cells move off a worker that becomes slow while training goes on, to the same end."""

import json
import re
import unittest

from launch import POINTS, SystemTest, on_ranks

SLOW = 2
N_GENERATIONS = 50
TRAINING = [*POINTS, "--set", "data.max_samples=500", "--generations", N_GENERATIONS]
# Late words are of no interest here, and nobody is to be given up.
PATIENT = ["--set", "comm.late_after_s=100", "--set", "comm.dead_after_s=200"]


class Balance(SystemTest):
    def train_with_one_slowed(self, n_ranks, training, launcher=()):
        """Until cells have moved off it; returns the lines of the log that tell of moves."""
        folder = self.folder / "run"
        running = self.start(on_ranks(n_ranks, *training, *PATIENT, "--quiet", "--output", folder, launcher=launcher))
        log = folder / "run.log"
        running.wait_until(lambda: log.exists() and "training begins" in log.read_text(), "training")
        with running.slowed(SLOW, stands_s=0.095):
            running.wait_until(lambda: "the others up" in log.read_text(), "moving cells")
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        undisturbed = json.loads((self.undisturbed(*training) / "result.json").read_text())
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(result["fingerprint"], undisturbed["fingerprint"])
        self.assert_every_line_is_there(folder, len(result["cells"]))
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        self.assertIn("the others up", [event for event in events if event["event"] == "moved"][0]["text"])
        return "\n".join(re.findall(r".*the others up.*", log.read_text()))

    def assert_every_line_is_there(self, folder, n_cells):
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        expected = [(generation, cell) for generation in range(1, N_GENERATIONS + 1) for cell in range(n_cells)]
        self.assertEqual([(line["generation"], line["cell"]) for line in lines], expected)

    def test_a_slowed_worker_keeps_one_cell_of_two(self):
        moves = self.train_with_one_slowed(3, ["--grid", "2x2", *TRAINING])
        self.assertRegex(moves, rf"rank {SLOW} on .* holds the others up; cell 3 goes to rank 1, "
                                   r"all cells go on from generation \d+; ")

    def test_the_cell_of_a_slowed_worker_goes_to_a_spare(self):
        moves = self.train_with_one_slowed(4, ["--grid", "1x2", *TRAINING], launcher=["--enable-recovery"])
        self.assertRegex(moves, rf"rank {SLOW} on .* holds the others up; cell 1 goes to rank 3, ")


if __name__ == "__main__":
    unittest.main()
