"""`lipizz launch` brings a run to its end past whatever dies on the way, and leaves nothing behind."""

import json
import os
import re
import signal
import stat
import time
import unittest

from launch import BINARY, DEADLINE_S, MPIRUN, POINTS, SystemTest

RESUMABLE, USAGE, DATA = 75, 2, 4
TRAINING = ["--grid", "2x2", "--generations", 20, *POINTS]
EXPERIMENT = [*TRAINING, "--checkpoint-every", 1, "--quiet"]
OTHER = ["--grid", "1x1", "--generations", 1, *POINTS, "--quiet"]
UNSAVED = ["--grid", "2x2", "--generations", 100000, *POINTS, "--checkpoint-every", 100000, "--quiet"]
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
        """Each after something was saved: one restart at most is enough for both."""
        running = self.start(self.launch(*EXPERIMENT, "--restarts", 1))
        self.wait_until_saved(running)
        running.signal_rank(1, signal.SIGKILL)
        self.wait_until_resumed(running, 1)
        self.wait_until_saved(running)
        running.signal_rank(4, signal.SIGKILL)
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assert_as_undisturbed()

    def test_gives_up_after_so_many_restarts(self):
        running = self.start(self.launch(*UNSAVED, "--restarts", 1))
        for start in (1, 2):
            running.wait_until(lambda: self.log().count("numerics ") == start, f"begun {start} times")
            running.signal_rank(1, signal.SIGKILL)
        finished = running.wait()
        self.assertNotEqual(finished.exit_code, 0, finished.output)
        self.assertIn("which is enough", finished.output)
        self.assert_nothing_left()

    def test_as_many_ranks_as_a_layout_that_is_chosen_has_a_use_for(self):
        arguments = ["--grid", "1x1", *POINTS, "--set", "data.micro_batches=3", "--set", "layout=auto", "--dry-run"]
        told = self.run_to_end(self.launch(*arguments))
        self.assertEqual(told.exit_code, 0, told.output)
        n_cores = int(re.search(r"rank 0 on \S+: (\d+) core", told.output)[1])
        self.assertIn("layout: auto chose 1 rank to a cell", told.output)
        self.assertRegex(told.output, rf"in {1 + min(3, n_cores)} processes")
        refused = self.run_to_end(self.launch(*arguments, "--spares", 1))
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, "layout: auto decides how many workers there are; leave --workers and --spares")

    def test_a_dry_run_starts_the_ranks_and_trains_nothing(self):
        told = self.run_to_end(self.launch("--grid", "1x2", *POINTS, "--dry-run"))
        self.assertEqual(told.exit_code, 0, told.output)
        self.assertRegex(told.output, r"rank 2 on \S+: .*hosts cell 1\n")
        self.assertRegex(told.output, r"memory: \S+: .* in 3 processes")
        self.assertFalse(self.run_folder.exists())
        if os.cpu_count() < 64:
            threads = ["--set", "data.micro_batches=64", "--set", "threads_per_worker=64"]
            told = self.run_to_end(self.launch("--grid", "1x1", *POINTS, *threads, "--dry-run"))
            self.assertEqual(told.exit_code, 0, told.output)
            self.assertRegex(told.output, r"warning: rank 1 on \S+ may use \d+ cores? of its host for 64 threads")
        refused = self.run_to_end(self.launch("--grid", "64x64", "--workers", 2, "--set", "model=biggan32", "--dataset",
                                              "cifar10", "--dry-run"))
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assertNotIn("restart", refused.output)
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
            self.assertNotIn("non-zero", finished.output, "mpirun has nothing to say of an orderly end")
        self.assert_nothing_left()

    def test_a_hopeless_start_is_not_repeated(self):
        for options in (["--no-such-option"], ["--host", "no-such-host.invalid"]):
            finished = self.run_to_end([*self.launch(*EXPERIMENT), "--", *options])
            self.assertNotEqual(finished.exit_code, 0, finished.output)
            self.assertEqual(finished.output.count("launch: mpirun -"), 1, finished.output)
            self.assertIn("the same command would end alike", finished.output)
            self.assertFalse(self.run_folder.exists())
        self.assert_nothing_left()

    def test_of_two_with_one_output_one_is_refused(self):
        both = [self.start(self.launch(*ENDLESS)) for _ in range(2)]
        refused, other = self.first_to_end(*both)
        finished = refused.wait()
        self.assertEqual(finished.exit_code, USAGE, finished.output)
        self.assertRegex(finished.output, "exists already|another process")
        self.wait_until_saved(other)
        other.signal_launcher(signal.SIGTERM)
        self.assertEqual(other.wait().exit_code, RESUMABLE)

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

    def test_what_another_run_leaves_meanwhile_is_not_taken(self):
        """The first mpirun dies, and a plain run has come and gone in the folder before the second."""
        other = " ".join(map(str, [BINARY, *OTHER, "--output", self.run_folder]))
        launch = self.with_an_mpirun(
            f"[ -e {self.run_folder} ] && exec {MPIRUN} \"$@\"\n"
            f"env -u LIPIZZ_LAUNCH_ID -u LIPIZZ_EXIT_CODE_FILE -u OMPI_MCA_orte_local_tmpdir_base {other}\nkill -9 $$\n",
            self.launch(*EXPERIMENT))
        finished = self.run_to_end(launch)
        self.assertEqual(finished.exit_code, USAGE, finished.output)
        self.assertIn("restart 1 of 3", finished.output)
        self.assertIn("exists already", finished.output)
        self.assertEqual(json.loads((self.run_folder / "result.json").read_text())["generations"], 1)

    def first_to_end(self, one, other):
        deadline = time.monotonic() + DEADLINE_S
        while not (one.has_ended() or other.has_ended()):
            self.assertLess(time.monotonic(), deadline, "neither ends")
            time.sleep(0.02)
        return (one, other) if one.has_ended() else (other, one)

    def with_an_mpirun_that_stays(self, command):
        return self.with_an_mpirun(f'{MPIRUN} "$@"\nexec sleep 100000\n', command)

    def with_an_mpirun(self, script, command):
        fake = self.folder / "bin" / "mpirun"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\n" + script)
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        return ["env", f"PATH={fake.parent}:{os.environ['PATH']}", *command]

    def test_mpirun_gets_its_options(self):
        running = self.start([*self.launch(*EXPERIMENT, "--workers", 2, "--spares", 1), "--", "--tag-output"])
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        self.assertRegex(finished.output, "launch: mpirun .*--oversubscribe --enable-recovery -np 4 --tag-output .*/lipizz --output")
        self.assert_as_undisturbed()


if __name__ == "__main__":
    unittest.main()
