"""A run that is asked to stop saves what it holds within a second, says how to go on, and does."""

import json
import re
import signal
import unittest

from launch import SIZES, BINARY, SystemTest, in_process, on_ranks

RESUMABLE = 75
# Generations of a second and more, in the midst of which every stop comes; a save by time would be far away.
LONG = ["--grid", "2x2", *SIZES, "--set", "data.dataset=glyphs", "--set", "data.max_samples=3000"]
ENDLESS = 1000


class Stop(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"

    def lines(self):
        metrics = self.run_folder / "metrics.jsonl"
        return metrics.read_text().splitlines() if metrics.exists() else []

    def done(self):
        """The generations that every cell has finished."""
        return len(self.lines()) // 4

    def start_run(self, command, *, before=None):
        running = self.start([*command, *LONG, "--generations", str(ENDLESS), "--output", str(self.run_folder)], before)
        running.wait_until(lambda: self.done() >= 2, "two generations")
        return running

    def assert_saved_and_told(self, output, done, reason):
        """What was done when it was asked is saved, and the console tells how to go on."""
        told = re.search(r"stopped at the end of generation (\d+) of 1000: (.*); to go on: \S+(?: launch)? --resume (\S+)", output)
        self.assertTrue(told, output)
        self.assertGreaterEqual(int(told[1]), done)
        self.assertEqual(told[2], reason)
        self.assertEqual(told[3], str(self.run_folder))
        files = list(self.run_folder.glob(f"checkpoints/generation-{int(told[1]):06}/cell-*.safetensors"))
        self.assertEqual(len(files), 4)
        return int(told[1])

    def assert_goes_on_from(self, generation):
        until = ["--generations", generation + 1]
        finished = self.run_to_end(in_process("--resume", self.run_folder, "--quiet", *until))
        self.assertEqual(finished.exit_code, 0, finished.output)
        undisturbed = self.undisturbed(*LONG, *until)
        self.assertEqual(json.loads((self.run_folder / "result.json").read_text())["fingerprint"],
                         json.loads((undisturbed / "result.json").read_text())["fingerprint"])

    def stop(self, command, number, reason, exit_codes=(RESUMABLE,)):
        running = self.start_run(command)
        done = self.done()
        running.signal_launcher(number)
        finished = running.wait()
        self.assertIn(finished.exit_code, exit_codes, finished.output)
        generation = self.assert_saved_and_told(finished.output, done, reason)
        self.assertLessEqual(len(self.lines()) // 4, generation + 1, "it did not train on for long")
        self.assert_goes_on_from(generation)

    def test_in_one_process_by_the_keyboard(self):
        self.stop(in_process(), signal.SIGINT, "signal INT")

    def test_in_one_process_by_a_closed_terminal(self):
        self.stop(in_process(), signal.SIGHUP, "signal HUP")

    # mpirun gives its ranks a second, and has an exit code of its own.
    def test_under_mpirun_by_the_keyboard(self):
        self.stop(on_ranks(5), signal.SIGINT, "signal TERM", exit_codes=(RESUMABLE, 1, 130))

    def test_under_mpirun_by_a_scheduler(self):
        self.stop(on_ranks(5), signal.SIGTERM, "signal TERM", exit_codes=(RESUMABLE, 1, 143))

    def test_under_launch_by_the_keyboard(self):
        self.stop([BINARY, "launch", "--workers", "4"], signal.SIGINT, "signal USR1")

    def test_the_loss_of_mpirun(self):
        running = self.start_run(on_ranks(5))
        done = self.done()
        running.signal_launcher(signal.SIGKILL)
        running.wait()
        saved = sorted(self.run_folder.glob("checkpoints/generation-*"))
        complete = [folder for folder in saved if len(list(folder.glob("cell-*.safetensors"))) == 4]
        generation = int(complete[-1].name.split("-")[1])
        self.assertGreaterEqual(generation, done - 1)
        self.assert_goes_on_from(generation)


if __name__ == "__main__":
    unittest.main()
