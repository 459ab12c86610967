"""`lipizz launch` brings a run to its end past whatever dies on the way, and leaves nothing behind."""

import json
import os
import signal
import stat
import unittest

from launch import BINARY, MPIRUN, POINTS, SystemTest

RESUMABLE, USAGE, DATA = 75, 2, 4
TRAINING = ["--grid", "2x2", "--generations", 20, *POINTS]
EXPERIMENT = [*TRAINING, "--checkpoint-every", 1, "--quiet"]
ENDLESS = ["--grid", "2x2", "--generations", 100000, *POINTS, "--checkpoint-every", 1, "--quiet"]


class Launch(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"

    def launch(self, *arguments):
        return [BINARY, "launch", *map(str, arguments), "--output", str(self.run_folder)]

    def log(self):
        log = self.run_folder / "run.log"
        return log.read_text() if log.exists() else ""

    def wait_until_saved(self, running):
        before = self.log().count(" is saved")
        running.wait_until(lambda: self.log().count(" is saved") > before, "having saved a generation")

    def wait_until_resumed(self, running, times):
        running.wait_until(lambda: self.log().count("resumed at") == times, f"resumed {times} times")

    def assert_as_undisturbed(self):
        found, expected = (json.loads((folder / "result.json").read_text())["fingerprint"]
                           for folder in (self.run_folder, self.undisturbed(*TRAINING)))
        self.assertEqual(found, expected)

    def assert_nothing_left(self):
        left = [name for name in os.listdir(self.folder) if name.startswith(("vader", "lipizz-launch"))]
        self.assertEqual(left, [])

    def kill_and_finish(self, kill):
        running = self.start(self.launch(*EXPERIMENT))
        self.wait_until_saved(running)
        kill(running)
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assertIn("restart 1 of 3", finished.output)
        self.assert_as_undisturbed()
        self.assert_nothing_left()

    def test_a_killed_worker(self):
        self.kill_and_finish(lambda running: running.signal_rank(2, signal.SIGKILL))

    def test_a_killed_master(self):
        self.kill_and_finish(lambda running: running.signal_rank(0, signal.SIGKILL))

    def test_a_killed_mpirun(self):
        self.kill_and_finish(lambda running: running.signal_program("mpirun", signal.SIGKILL))

    def test_two_losses_in_one_run(self):
        running = self.start(self.launch(*EXPERIMENT))
        self.wait_until_saved(running)
        running.signal_rank(1, signal.SIGKILL)
        self.wait_until_resumed(running, 1)
        running.signal_rank(4, signal.SIGKILL)
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assert_as_undisturbed()

    def test_gives_up_after_so_many_restarts(self):
        running = self.start(self.launch(*ENDLESS, "--restarts", 1))
        self.wait_until_saved(running)
        running.signal_rank(1, signal.SIGKILL)
        self.wait_until_resumed(running, 1)
        running.signal_rank(1, signal.SIGKILL)
        finished = running.wait()
        self.assertNotEqual(finished.exit_code, 0, finished.output)
        self.assertIn("which is enough", finished.output)
        self.assert_nothing_left()

    def test_a_signal_saves_and_stops(self):
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            running = self.start(self.launch(*ENDLESS) if number == signal.SIGUSR1 else
                                 [BINARY, "launch", "--resume", str(self.run_folder), "--quiet"])
            self.wait_until_saved(running)
            running.signal_launcher(number)
            finished = running.wait()
            self.assertEqual(finished.exit_code, RESUMABLE, finished.output)
            self.assertNotIn("restart", finished.output)
        self.assert_nothing_left()

    def test_an_error_that_would_come_again_is_not_tried_again(self):
        refused = self.run_to_end(self.launch(*EXPERIMENT, "--set", "data.nonsense=1"))
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        refused = self.run_to_end(self.launch(*EXPERIMENT, "--dataset", "mnist", "--data-dir", self.folder / "none"))
        self.assertEqual(refused.exit_code, DATA, refused.output)
        self.assertNotIn("restart", refused.output)
        self.assert_nothing_left()

    def test_an_mpirun_that_does_not_return_is_ended(self):
        """As after the loss of a host: the result is there, and mpirun waits for ever."""
        running = self.start(self.with_an_mpirun_that_stays(self.launch(*EXPERIMENT)))
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assertNotIn("restart", finished.output)
        self.assert_as_undisturbed()

    def test_an_mpirun_whose_ranks_are_gone_is_ended(self):
        """As after a link was cut: the run gave up, and mpirun waits for the lost host for ever."""
        running = self.start(self.with_an_mpirun_that_stays(self.launch(*EXPERIMENT)))
        self.wait_until_saved(running)
        running.signal_rank(0, signal.SIGKILL)
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assertIn("restart 1 of 3", finished.output)
        self.assert_as_undisturbed()

    def with_an_mpirun_that_stays(self, command):
        fake = self.folder / "bin" / "mpirun"
        fake.parent.mkdir()
        fake.write_text(f'#!/bin/sh\n{MPIRUN} "$@"\nexec sleep 100000\n')
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        return ["env", f"PATH={fake.parent}:{os.environ['PATH']}", *command]

    def test_mpirun_gets_its_options(self):
        running = self.start([*self.launch(*EXPERIMENT, "--workers", 2, "--spares", 1), "--", "--tag-output"])
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assertRegex(finished.output, "launch: mpirun --oversubscribe --enable-recovery -np 4 --tag-output .*/lipizz --output")
        self.assert_as_undisturbed()


if __name__ == "__main__":
    unittest.main()
