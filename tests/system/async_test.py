"""An asynchronous run does not wait for a slow worker: the others go on with the copies that they have."""

import json
import re
import signal
import unittest

from launch import POINTS, SystemTest, on_ranks

RESUMABLE = 75
GENERATIONS = 60
FAST, SLOW = 0, 1  # cells, the one of rank r being cell r - 1
SLOW_RANK = SLOW + 1
# Late words are of no interest here, and nobody is to be given up.
PATIENT = ["--set", "comm.late_after_s=100", "--set", "comm.dead_after_s=200"]
FAST_HEARTBEAT = ["--set", "comm.heartbeat_s=0.25", "--set", "comm.late_after_s=2", "--set", "comm.dead_after_s=5"]


class Async(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"

    def start_run(self, *arguments, launcher=()):
        """One worker for each of two cells. Each saves each generation, which tells how far it is."""
        running = self.start(on_ranks(3, "--grid", "1x2", "--generations", GENERATIONS, "--set", "exchange=async",
                                      *POINTS, *PATIENT, "--checkpoint-every", "1", "--quiet", *arguments,
                                      "--output", self.run_folder, launcher=launcher))
        running.wait_until(lambda: self.reached(FAST) and self.reached(SLOW), "training in both cells")
        return running

    def reached(self, cell):
        """The last generation that a cell has saved; 0 when none."""
        files = self.run_folder.glob(f"checkpoints/generation-*/cell-{cell:04}.safetensors")
        return max((int(file.parent.name.split("-")[1]) for file in files), default=0)

    def wait_until_the_fast_one_is_done(self, running):
        running.wait_until(lambda: self.reached(FAST) == GENERATIONS, "the fast cell's end")

    def assert_done(self, running):
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)

    def ages(self, cell):
        """By generation, how old the cell's copy of the other one was."""
        lines = [json.loads(line) for line in (self.run_folder / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), 2 * GENERATIONS)
        return {line["generation"]: line["ages"][str(1 - cell)] for line in lines if line["cell"] == cell}

    def test_a_slowed_worker_holds_nobody_up(self):
        running = self.start_run("--set", "max_staleness=1000")
        with running.slowed(SLOW_RANK):
            self.wait_until_the_fast_one_is_done(running)
            behind = GENERATIONS - self.reached(SLOW)
        self.assertGreater(behind, GENERATIONS // 4)
        self.assert_done(running)
        self.assertGreater(self.ages(FAST)[GENERATIONS], 1, "an old copy is used")
        self.assertLess(min(age for age in self.ages(SLOW).values() if age is not None), -1, "and one of the future")

    def test_a_copy_that_is_too_old_is_left_out(self):
        running = self.start_run("--set", "max_staleness=1")
        running.signal_rank(SLOW_RANK, signal.SIGSTOP)
        self.wait_until_the_fast_one_is_done(running)
        running.signal_rank(SLOW_RANK, signal.SIGCONT)
        self.assert_done(running)
        ages = self.ages(FAST)
        self.assertIsNone(ages[GENERATIONS])
        self.assertFalse([age for age in ages.values() if age is not None and age > 1], "none older is used")
        self.assertIsNotNone(self.ages(SLOW)[GENERATIONS], "who is behind has copies of all")

    def test_asked_to_stop_with_one_far_behind(self):
        running = self.start_run()
        with running.slowed(SLOW_RANK):
            running.wait_until(lambda: self.reached(FAST) >= self.reached(SLOW) + 10, "ten generations apart")
            running.signal_launcher(signal.SIGUSR1)
            finished = running.wait()
        self.assertEqual(finished.exit_code, RESUMABLE, finished.output)
        self.assertRegex((self.run_folder / "run.log").read_text(), r"stopped at the end of generation \d+ of")
        resumed = self.run_to_end(on_ranks(2, "--resume", self.run_folder, "--quiet"))
        self.assertEqual(resumed.exit_code, 0, resumed.output)
        self.assertEqual(len(self.ages(FAST)), GENERATIONS)

    def test_killed_far_behind_goes_on_from_what_is_saved(self):
        running = self.start_run(*FAST_HEARTBEAT, launcher=["--enable-recovery"])
        with running.slowed(SLOW_RANK):
            running.wait_until(lambda: self.reached(FAST) >= self.reached(SLOW) + 10, "ten generations apart")
        running.signal_rank(SLOW_RANK, signal.SIGKILL)
        self.assert_done(running)
        log = (self.run_folder / "run.log").read_text()
        self.assertGreater(int(re.search(r"all cells go on from generation (\d+)", log)[1]), 0)
        self.assertEqual([self.ages(cell)[GENERATIONS] for cell in (FAST, SLOW)], [0, 0], "on one worker all are in time")


if __name__ == "__main__":
    unittest.main()
