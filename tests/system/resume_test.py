"""A run that ends early, however it ends, goes on where its cells were saved, to the same answer."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from launch import CLASSES, CONVOLUTIONS, LARGE, MEANS, PAIRS, PENALTY, POINTS, SystemTest, in_process, on_ranks

RESUMABLE, USAGE, CHECKPOINT = 75, 2, 6
GENERATIONS = 6
# More than any test waits for: who is killed or asked to stop has not finished by then, however late the test looks.
ENDLESS = 1000
# Each generation is saved by whoever finishes it, so that any moment will do to end the run.
EACH = ["--checkpoint-every", "1"]


def grid(shape, *settings):
    return ["--grid", shape, *settings, *EACH]


SMALL_GRID = grid("2x2", *POINTS)


def experiment(generations=GENERATIONS):
    return [*SMALL_GRID, "--generations", generations]


class Resume(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"

    def new(self, command):
        return [*command, "--quiet", "--output", str(self.run_folder)]

    def start_new(self, command):
        return self.start(self.new(command))

    def saved(self):
        """Generations that the master knows to be saved whole, in the order of its log."""
        log = self.run_folder / "run.log"
        text = log.read_text() if log.exists() else ""
        return [int(n) for n in re.findall(r"generation (\d+) is saved", text)]

    def wait_until_saved(self, running, n_more):
        wanted = len(self.saved()) + n_more
        running.wait_until(lambda: len(self.saved()) >= wanted, f"having saved {n_more} more generations")

    def finish(self, command):
        finished = self.run_to_end(command)
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished

    def result(self, folder=None):
        return json.loads(((folder or self.run_folder) / "result.json").read_text())["fingerprint"]

    def metrics(self, folder=None):
        """Every line without its times and its checksum, in which they are."""
        lines = ((folder or self.run_folder) / "metrics.jsonl").read_text().splitlines()
        return [{key: value for key, value in json.loads(line).items() if key not in ("seconds", "check")} for line in lines]

    def assert_as_undisturbed(self, arguments):
        undisturbed = self.undisturbed(*arguments)
        self.assertEqual(self.result(), self.result(undisturbed))
        self.assertEqual(self.metrics(), self.metrics(undisturbed))

    def resume(self, n_ranks=None, *arguments):
        resume = ["--resume", str(self.run_folder), "--quiet", *arguments]
        return on_ranks(n_ranks, *resume) if n_ranks else in_process(*resume)

    # Killed

    def kill_again_and_again(self, arguments, first, then):
        """Kills the launcher, which takes all ranks with it, once on each number of ranks; then goes on a little."""
        self.start_and_kill(on_ranks(first, *arguments, "--generations", ENDLESS))
        for n_ranks in then:
            self.kill_when_saved(self.start(self.resume(n_ranks)))
        self.continue_a_little(arguments)

    def start_and_kill(self, command):
        self.kill_when_saved(self.start_new(command))

    def kill_when_saved(self, running):
        self.wait_until_saved(running, 1)
        self.kill(running)

    def kill(self, running):
        running.signal_launcher(signal.SIGKILL)
        running.wait()

    def newest_generation(self):
        """Saved or being saved: what is whole may be newer than the log tells."""
        folders = (self.run_folder / "checkpoints").glob("generation-*")
        return max((int(folder.name.removeprefix("generation-")) for folder in folders), default=0)

    def continue_a_little(self, arguments, n_ranks=None):
        until = ["--generations", self.newest_generation() + 1]
        self.finish(self.resume(n_ranks, *until))
        self.assert_as_undisturbed([*arguments, *until])

    def test_killed_on_2_3_and_5_ranks_and_finished_on_threads(self):
        self.kill_again_and_again(SMALL_GRID, 5, [2, 3])

    def test_killed_on_17_ranks_and_finished_on_threads(self):
        self.kill_again_and_again(grid("4x4", *POINTS), 17, [])

    def test_z7_killed_on_four_ranks_to_a_cell_and_finished_on_other_numbers(self):
        cut = [*SMALL_GRID, "--set", "data.micro_batches=12"]
        self.start_and_kill(on_ranks(9, *cut, "--set", "ranks_per_cell=4", "--set", "generator.zero=3",
                                     "--generations", ENDLESS))
        self.kill_when_saved(self.start(self.resume(4, "--set", "ranks_per_cell=1")))
        self.kill_when_saved(self.start(self.resume(5, "--set", "ranks_per_cell=2", "--set", "discriminator.zero=3")))
        self.kill_when_saved(self.start(self.resume(4, "--set", "ranks_per_cell=3")))
        self.kill_when_saved(self.start(self.resume(5, "--set", "ranks_per_cell=2", "--set", "pipeline.stages=2",
                                                    "--set", "generator.zero=1",
                                                    "--set", "discriminator.zero=0")))
        self.continue_a_little(cut)

    def test_hy2_killed_on_two_ranks_to_each_cell_and_finished_on_other_numbers(self):
        cut = [*SMALL_GRID, "--set", "data.micro_batches=2"]
        self.start_and_kill(on_ranks(9, *cut, "--set", "ranks_per_cell=2", "--generations", ENDLESS))
        self.kill_when_saved(self.start(self.resume(4, "--set", "ranks_per_cell=1")))
        self.continue_a_little(cut)

    def test_killed_with_a_dynamic_loss_scale(self):
        self.kill_again_and_again(grid("2x2", *POINTS, "--set", "discriminator.mixed_precision=fp16",
                                       "--set", "discriminator.penalty=wgan-gp"), 5, [])

    def test_killed_with_running_statistics(self):
        self.kill_again_and_again(grid("2x2", *CONVOLUTIONS), 5, [])

    def test_killed_with_classes_and_a_moving_average(self):
        self.kill_again_and_again(grid("2x2", *CLASSES), 5, [])

    def test_killed_with_means_of_networks(self):
        self.kill_again_and_again(grid("2x2", *MEANS), 5, [])

    def test_killed_with_pairs(self):
        self.kill_again_and_again(grid("2x2", *PAIRS), 5, [])

    def test_killed_with_a_penalty_and_augmentation(self):
        self.kill_again_and_again(grid("2x2", *PENALTY), 5, [])

    def kill_once(self, model, dataset):
        self.need_data(dataset)
        self.kill_again_and_again([*LARGE[model], *EACH], 5, [])

    def test_killed_with_sngan32(self):
        self.kill_once("sngan32", "cifar10")

    def test_killed_with_biggan32(self):
        self.kill_once("biggan32", "cifar10")

    def test_killed_with_pix2pix(self):
        self.kill_once("pix2pix", "facades")

    def test_killed_on_threads_and_finished_on_ranks(self):
        self.start_and_kill(in_process(*experiment(generations=ENDLESS)))
        self.continue_a_little(SMALL_GRID, 5)

    def test_killed_before_anything_is_saved(self):
        running = self.start_new(in_process(*experiment()))
        running.wait_until((self.run_folder / "config.json").exists, "having begun")
        self.kill(running)
        if not self.saved():
            shutil.rmtree(self.run_folder / "checkpoints", ignore_errors=True)
        self.finish(self.resume())
        self.assert_as_undisturbed(experiment())

    # Asked to stop

    def stop_in_order(self, command, number):
        running = self.start_new(command)
        self.wait_until_saved(running, 1)
        running.signal_launcher(number)
        finished = running.wait()
        self.assertEqual(finished.exit_code, RESUMABLE, finished.output)
        self.assertFalse((self.run_folder / "result.json").exists())
        self.assertRegex((self.run_folder / "run.log").read_text(), r"stopped at the end of generation \d+ of \d+: signal")

    def test_asked_to_stop_by_a_signal_to_mpirun(self):
        self.stop_in_order(on_ranks(5, *experiment(generations=ENDLESS)), signal.SIGUSR1)
        self.continue_a_little(SMALL_GRID, 3)

    def test_asked_to_stop_with_helpers(self):
        """In the middle of steps that take long, with messages that nobody waits for any more."""
        large = grid("1x1", *CONVOLUTIONS, "--set", "data.micro_batches=2", "--set", "data.batches_per_generation=2")
        self.stop_in_order(on_ranks(3, *large, "--set", "ranks_per_cell=2", "--generations", ENDLESS), signal.SIGUSR1)
        self.continue_a_little(large)

    def test_asked_to_stop_on_threads(self):
        self.stop_in_order(in_process(*experiment(generations=ENDLESS)), signal.SIGTERM)
        self.continue_a_little(SMALL_GRID, 3)

    def test_asked_to_stop_by_a_closed_terminal(self):
        self.stop_in_order(in_process(*experiment(generations=ENDLESS)), signal.SIGHUP)

    def test_a_time_limit_ends_it(self):
        finished = self.run_to_end(self.new(in_process(*experiment(generations=ENDLESS), "--time-limit", "8")))
        self.assertEqual(finished.exit_code, RESUMABLE, finished.output)
        self.assertIn("the time limit", (self.run_folder / "run.log").read_text())
        self.continue_a_little(SMALL_GRID, 3)

    # Files that cannot be used

    def newest_file(self):
        return sorted((self.run_folder / "checkpoints").glob("*/cell-*"))[-1]

    def damage_newest_and_go_on(self, damage, why):
        self.finish(self.new(in_process(*experiment())))
        damage(self.newest_file())
        self.finish(self.resume(2, "--generations", GENERATIONS + 1))
        self.assertRegex((self.run_folder / "run.log").read_text(), why)
        self.assert_as_undisturbed(experiment(generations=GENERATIONS + 1))

    def test_the_newest_file_truncated(self):
        self.damage_newest_and_go_on(lambda path: os.truncate(path, path.stat().st_size // 2), "expected .* found")

    def test_the_newest_file_with_flipped_bits(self):
        def flip(path):
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 0x10
            path.write_bytes(content)
        self.damage_newest_and_go_on(flip, "expected hash .* found")

    def test_the_newest_file_missing(self):
        self.damage_newest_and_go_on(lambda path: path.unlink(), "expected a file, found none")

    def spoil_every_generation(self):
        """One file of each becomes a link to itself, which nobody can read, not even root."""
        for folder in (self.run_folder / "checkpoints").iterdir():
            (folder / "cell-0002.safetensors").unlink()
            (folder / "cell-0002.safetensors").symlink_to("cell-0002.safetensors")

    def test_files_of_every_generation_that_cannot_be_read(self):
        self.finish(self.new(in_process(*experiment())))
        self.spoil_every_generation()
        before = (self.run_folder / "metrics.jsonl").read_bytes()
        more = ["--generations", GENERATIONS + 1]
        for n_ranks in (None, 3):
            refused = self.run_to_end(self.resume(n_ranks, *more))
            self.assertEqual(refused.exit_code, CHECKPOINT, refused.output)
            self.assert_one_message(refused, "generation-00000[56]/cell-0002.* cannot be read: .*"
                                             f"lipizz --resume {self.run_folder} --from-seed")
            self.assertEqual((self.run_folder / "metrics.jsonl").read_bytes(), before)
        self.finish(self.resume(None, *more, "--from-seed"))
        self.assert_as_undisturbed(experiment(generations=GENERATIONS + 1))
        self.assertEqual((self.run_folder / "set-aside-1/metrics.jsonl").read_bytes(), before)

    # Its folder

    def lose_folder(self, running):
        """Waits for the end of a run whose folder is gone, and returns where it says that it has saved itself."""
        finished = running.wait()
        self.assertEqual(finished.exit_code, CHECKPOINT, finished.output)
        self.assert_one_message(finished, r"generation \d+ of \d+ is saved in .*; to go on: lipizz --resume ")
        self.assertFalse(self.run_folder.exists())
        return pathlib.Path(re.search(r"to go on: lipizz --resume (\S+)", finished.output)[1])

    def test_its_folder_renamed(self):
        running = self.start_new(on_ranks(5, *experiment(generations=ENDLESS)))
        self.wait_until_saved(running, 1)
        moved = self.run_folder.rename(self.folder / "moved")
        self.assertEqual(self.lose_folder(running), moved)
        self.run_folder = moved
        self.continue_a_little(SMALL_GRID)

    def test_its_folder_removed(self):
        running = self.start_new(in_process(*experiment(generations=ENDLESS)))
        self.wait_until_saved(running, 1)
        running.signal_launcher(signal.SIGSTOP)
        shutil.rmtree(self.run_folder)
        running.signal_launcher(signal.SIGCONT)
        self.run_folder = self.lose_folder(running)
        self.continue_a_little(SMALL_GRID)

    # Files that cannot be written

    def test_a_generation_that_cannot_be_saved(self):
        self.finish(self.new(in_process(*experiment(generations=2))))
        (self.run_folder / "checkpoints/generation-000003").write_text("in the way")
        finished = self.finish(self.resume(2, "--generations", 4))
        self.assertRegex(finished.output, "warning: cannot make the folder .*generation-000003")
        self.assertEqual(self.saved(), [1, 2, 4])
        self.assert_as_undisturbed(experiment(generations=4))

    def test_a_full_disk(self):
        """Room for some cells' files, not for all, and not for the results."""
        disk = self.folder / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(disk)]
        if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
            self.skipTest("may not mount a small file system")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        self.run_folder = disk / "run"
        full = self.run_to_end(self.new(in_process(*experiment())))
        self.assertEqual(full.exit_code, CHECKPOINT, full.output)
        self.assertRegex(full.output, "warning: cannot write .*cell-.*No space left")
        self.assert_one_message(full, "No space left")
        subprocess.run(["mount", "-o", "remount,size=100m", str(disk)], check=True)
        self.finish(self.resume(3))
        self.assert_as_undisturbed(experiment())

    # Refused

    def test_another_experiment_is_refused(self):
        self.finish(self.new(in_process(*experiment())))
        for arguments, message in [(["--seed", 7], "seed: .* as it was started"),
                                   (["--grid", "3x3"], "grid.rows: .* as it was started"),
                                   (["--generations", 2], "already at the end of generation")]:
            refused = self.run_to_end(self.resume(None, *arguments))
            self.assertEqual(refused.exit_code, USAGE, refused.output)
            self.assert_one_message(refused, message)

        config = self.run_folder / "config.json"
        changed = json.loads(config.read_text())
        changed["fitness"]["n_samples"] += 1
        config.write_text(json.dumps(changed))
        for n_ranks in (None, 3):
            refused = self.run_to_end(self.resume(n_ranks, "--generations", GENERATIONS + 1))
            self.assertEqual(refused.exit_code, USAGE, refused.output)
            self.assert_one_message(refused, "config.json was edited: fitness.n_samples: .* as it was started")
        (self.run_folder / "saved.json").unlink()
        refused = self.run_to_end(self.resume(None, "--generations", GENERATIONS + 1))
        self.assertEqual(refused.exit_code, CHECKPOINT, refused.output)
        self.assert_one_message(refused, "with configuration .* can only be resumed as it was started")

    def test_no_run_to_resume(self):
        refused = self.run_to_end(in_process("--resume", self.folder / "nowhere"))
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, "nowhere")

    def test_a_finished_run_has_nothing_left_to_do(self):
        self.finish(self.new(in_process(*experiment())))
        before = self.metrics()
        finished = self.finish(self.resume())
        self.assertIn("has finished all its", finished.output)
        self.assertEqual(self.metrics(), before)

    def test_one_run_at_a_time(self):
        running = self.start_new(in_process(*experiment(generations=ENDLESS)))
        self.wait_until_saved(running, 1)
        refused = self.run_to_end(self.resume())
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, "is going on in another process")


if __name__ == "__main__":
    unittest.main()
