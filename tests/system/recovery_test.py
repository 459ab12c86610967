"""Under `mpirun --enable-recovery` a run goes on without the workers that it loses, to the same end."""

import json
import os
import re
import signal
import unittest

from launch import BINARY, CLASSES, CONVOLUTIONS, LARGE, MEANS, PAIRS, PENALTY, POINTS, SMALL, SystemTest, on_ranks

VICTIM, SECOND_VICTIM, SPARE = 2, 3, 5
TRAINING = ["--grid", "2x2", "--generations", 16, *POINTS]
# Above what a loaded machine delays a heartbeat by; who is given up by mistake costs time alone.
FAST_HEARTBEAT = ["--set", "comm.heartbeat_s=0.25", "--set", "comm.late_after_s=2", "--set", "comm.dead_after_s=5"]


class Recovery(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        self.training = TRAINING
        self.n_cells = 4

    def options(self, *more):
        return [*FAST_HEARTBEAT, *self.training, "--quiet", "--output", str(self.run_folder), *more]

    def start_training(self, n_ranks, *more):
        """A master and workers, of which those beyond the cells are spares; each has answered once."""
        running = self.start(on_ranks(n_ranks, *self.options(*more), launcher=["--enable-recovery"]))
        running.wait_until(lambda: "all workers answer" in self.log(), "the first heartbeats")
        return running

    def log(self):
        log = self.run_folder / "run.log"
        return log.read_text() if log.exists() else ""

    def generations(self):
        metrics = self.run_folder / "metrics.jsonl"
        return metrics.read_text().count("\n") // self.n_cells if metrics.exists() else 0

    def wait_until_trained(self, running, n_generations):
        running.wait_until(lambda: self.generations() >= n_generations, f"trained {n_generations} generations")

    def wait_until_given_up(self, running, rank):
        running.wait_until(lambda: re.search(rf"rank {rank} on .* is given up", self.log()), f"rank {rank} given up")

    def assert_as_undisturbed(self, running):
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        result = json.loads((self.run_folder / "result.json").read_text())
        undisturbed = self.undisturbed(*self.training)
        self.assertEqual(result["fingerprint"], json.loads((undisturbed / "result.json").read_text())["fingerprint"])
        self.assertEqual(self.cells_of_metrics(self.run_folder), self.cells_of_metrics(undisturbed))
        left = [name for name in os.listdir(self.folder) if name.startswith(("vader", "ompi", "lipizz-launch"))]
        self.assertEqual(left, [], "left behind")

    @staticmethod
    def cells_of_metrics(run):
        """What metrics.jsonl has lines of, with their scores: no gap, no repeat, no other number."""
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        return [(line["generation"], line["cell"], line["score"]) for line in lines]

    def test_a_killed_worker_is_replaced_by_a_spare(self):
        running = self.start_training(6)
        self.wait_until_trained(running, 2)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)
        self.assertRegex(self.log(), rf"rank {VICTIM} .* is given up .*goes to rank {SPARE}, "
                                     r"all cells go on from generation \d")

    def lose_one_worker_of(self, experiment, n_generations=6):
        self.training = [*experiment, "--generations", n_generations]
        running = self.start_training(5)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_a_worker_with_running_statistics_is_killed(self):
        self.lose_one_worker_of(["--grid", "2x2", *CONVOLUTIONS])

    def test_a_worker_with_classes_and_a_moving_average_is_killed(self):
        self.lose_one_worker_of(["--grid", "2x2", *CLASSES])

    def test_a_worker_with_a_penalty_and_augmentation_is_killed(self):
        self.lose_one_worker_of(["--grid", "2x2", *PENALTY])

    def test_a_worker_with_means_of_networks_is_killed(self):
        self.lose_one_worker_of(["--grid", "2x2", *MEANS], n_generations=16)

    def test_a_worker_with_pairs_is_killed(self):
        self.lose_one_worker_of(["--grid", "2x2", *PAIRS])

    def lose_one_worker_of_large(self, model, dataset):
        self.need_data(dataset)
        self.lose_one_worker_of(LARGE[model], n_generations=3)

    def test_a_worker_with_sngan32_is_killed(self):
        self.lose_one_worker_of_large("sngan32", "cifar10")

    def test_a_worker_with_biggan32_is_killed(self):
        self.lose_one_worker_of_large("biggan32", "cifar10")

    def test_a_worker_with_pix2pix_is_killed(self):
        self.n_cells = 2
        self.lose_one_worker_of_large("pix2pix", "facades")

    def with_helpers(self, training=TRAINING):
        self.training = [*training, "--set", "data.micro_batches=2", "--set", "ranks_per_cell=2"]

    def lose_one_of_a_cell(self, n_ranks, victim, *settings):
        self.with_helpers()
        self.training += [word for setting in settings for word in ("--set", setting)]
        running = self.start_training(n_ranks)
        self.wait_until_trained(running, 2)
        running.signal_rank(victim, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_a_worker_goes_on_without_its_helper(self):
        self.lose_one_of_a_cell(5, VICTIM)
        self.assertRegex(self.log(), rf"rank {VICTIM} on .* \(helps rank 1\) is given up .*; all cells go on from")

    def test_hy2_a_helper_and_the_worker_of_another_cell_are_killed(self):
        self.with_helpers(["--grid", "2x2", "--generations", 5, *POINTS])
        running = self.start_training(9)
        self.wait_until_trained(running, 2)
        running.signal_rank(4, signal.SIGKILL)
        running.signal_rank(5, signal.SIGKILL)
        self.assert_as_undisturbed(running)
        self.assertRegex(self.log(), r"rank 4 on .* \(helps rank 3\) is given up .*; all cells go on from")
        self.assertRegex(self.log(), r"rank 5 on .* \(cells 2\) is given up .*; cell 2 goes to rank [137],")

    def test_stages_of_a_pipeline_are_lost(self):
        self.with_helpers()
        self.training += ["--set", "ranks_per_cell=3", "--set", "pipeline.stages=3", "--set", "generator.stages=2"]
        running = self.start_training(7)
        self.wait_until_trained(running, 2)
        running.signal_rank(3, signal.SIGKILL)
        self.wait_until_given_up(running, 3)
        running.signal_rank(4, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_shards_of_stages_are_lost(self):
        """Three of four ranks are a pipeline of three stages, which shares nothing out; another cell's four begin anew
        with what they had not told each other."""
        self.lose_one_of_a_cell(9, 4, "ranks_per_cell=4", "pipeline.stages=2", "generator.zero=2", "discriminator.zero=2")

    def test_shards_of_networks_are_lost(self):
        """Two of three ranks do not have as many micro-batches each, and share out moments alone."""
        self.lose_one_of_a_cell(4, 3, "data.micro_batches=3", "ranks_per_cell=3", "generator.zero=3",
                                "discriminator.zero=2")
        self.assertRegex(self.log(), "generator.zero is 1 for now: 3 micro-batches do not come out even on 2 ranks")

    def test_shards_of_networks_are_dealt_out_anew(self):
        self.lose_one_of_a_cell(4, 2, "data.micro_batches=6", "ranks_per_cell=3", "generator.zero=3",
                                "discriminator.zero=3")
        self.assertNotRegex(self.log(), "zero is 1")

    def test_a_helper_is_killed_in_the_first_generation(self):
        self.with_helpers()
        running = self.start_training(5)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_a_helper_sleeps_and_comes_back(self):
        self.with_helpers()
        running = self.start_training(5)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGSTOP)
        self.wait_until_given_up(running, VICTIM)
        running.signal_rank(VICTIM, signal.SIGCONT)
        self.assert_as_undisturbed(running)

    def test_a_worker_with_a_helper_is_killed(self):
        self.lose_one_of_a_cell(5, 1)
        self.assertRegex(self.log(), r"rank 1 on .* \(cells 0, 1\) is given up .* cell 0 goes to rank 3, cell 1 goes to "
                                     r"rank 3")

    def test_two_killed_one_after_the_other(self):
        running = self.start_training(5)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.wait_until_given_up(running, VICTIM)
        running.signal_rank(SECOND_VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_two_killed_at_once(self):
        running = self.start_training(5)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGKILL)
        running.signal_rank(SECOND_VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_killed_in_the_first_generation(self):
        running = self.start_training(5)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_killed_while_a_checkpoint_is_written(self):
        self.training = ["--grid", "2x2", "--generations", 16, *SMALL]  # with files that take their time
        running = self.start_training(6, "--checkpoint-every", 1)
        checkpoints = self.run_folder / "checkpoints"
        running.wait_until(lambda: checkpoints.exists() and any(
            not name.endswith(".safetensors") for _, _, names in os.walk(checkpoints) for name in names),
            "writing a checkpoint")
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)

    def test_stopped_and_continued(self):
        running = self.start_training(6)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGSTOP)
        self.wait_until_given_up(running, VICTIM)
        running.signal_rank(VICTIM, signal.SIGCONT)
        self.assert_as_undisturbed(running)

    def test_stopped_for_good(self):
        running = self.start_training(6)
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGSTOP)
        self.assert_as_undisturbed(running)

    def test_launched_with_a_spare(self):
        running = self.start([BINARY, "launch", *map(str, self.options("--spares", 1))])
        self.wait_until_trained(running, 1)
        running.signal_rank(VICTIM, signal.SIGKILL)
        self.assert_as_undisturbed(running)
        self.assertNotIn("restart", running.output())


if __name__ == "__main__":
    unittest.main()
