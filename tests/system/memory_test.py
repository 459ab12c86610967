"""What --dry-run says of memory is what a run then takes, of small models and of large ones in training."""

import json
import os
import re
import resource
import sys
import unittest

from launch import FEW, SystemTest, in_process, losses

# Whatever scores them has read all of the dataset.
STEPS = ["--set", "score.metric=blocks", "--set", "data.max_samples=200", "--set", "score.n_samples=250",
         "--set", "fitness.n_samples=250", "--generations", 2, "--set", "threads=2"]

# Plain training of one pair.
ALONE = [*FEW, "--grid", "1x1", "--set", "replacement=generational", "--set", "selection=none",
         "--set", "samples.rows=1", "--set", "samples.columns=2", "--set", "samples.cell_rows=1",
         "--set", "samples.cell_columns=1"]
CIFAR = [*ALONE, *losses("hinge"), "--dataset", "cifar10", "--generations", 6, "--set", "class_conditional=true",
         "--set", "generator.average_decay=0.9999", "--set", "data.max_samples=100", "--set", "data.batch_size=10"]
FACADES = [*ALONE, *losses("pix2pix"), "--dataset", "facades", "--generations", 3, "--set", "data.max_samples=8",
           "--set", "data.batch_size=1", "--set", "fitness.n_samples=8", "--set", "score.n_samples=8",
           "--set", "score.n_samples_training=8"]


class MeasuredTest(SystemTest):
    def assert_estimated(self, arguments):
        """Returns the lines of the run's metrics.jsonl."""
        dry = self.run_to_end(in_process(*arguments, "--dry-run"))
        estimated = float(re.search(r"^memory: \S+: ([0-9.]+) MB in 1 process", dry.output, re.MULTILINE)[1])
        output = self.folder / "run"
        run = self.run_to_end(in_process(*arguments, "--quiet", "--output", output))
        self.assertEqual(run.exit_code, 0, run.output)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6  # of the largest one so far
        self.assertAlmostEqual(estimated / peak, 1, delta=0.15, msg=f"{estimated} MB of {peak} MB")
        return [json.loads(line) for line in (output / "metrics.jsonl").read_text().splitlines()]


@unittest.skipUnless(sys.platform == "linux", "reads the peak of resident memory as Linux tells it")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class Memory(MeasuredTest):
    def test_a_dry_run_tells_what_convolutions_take(self):
        self.assert_estimated([*STEPS, "--grid", "1x2", "--set", "model=dcgan28"])

    def test_a_dry_run_tells_what_linear_layers_take(self):
        self.assert_estimated([*STEPS, "--grid", "2x2", "--set", "model=mlp"])

    def test_a_dry_run_tells_what_training_a_judge_takes(self):
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.assert_estimated([*STEPS, "--grid", "2x2", "--set", "model=mlp", "--set", "score.metric=frechet"])


@unittest.skipUnless(sys.platform == "linux", "reads the peak of resident memory as Linux tells it")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class LargeModels(MeasuredTest):
    def assert_trains(self, arguments, network):
        """A few steps lower the score and the loss of one of the two networks; returns that loss."""
        first, *_, last = self.assert_estimated(arguments)
        self.assertLess(last["score"], first["score"])
        self.assertLess(last[network]["loss"], first[network]["loss"])
        return last[network]["loss"]

    def assert_trains_with_hinge_loss(self, model):
        untrained = 2  # of a discriminator that gives 0 to everything
        loss = self.assert_trains([*CIFAR, "--set", f"model={model}"], "discriminator")
        self.assertLess(loss, 0.9 * untrained)

    def test_sngan32(self):
        self.need_data("cifar10")
        self.assert_trains_with_hinge_loss("sngan32")

    def test_biggan32(self):
        self.need_data("cifar10")
        self.assert_trains_with_hinge_loss("biggan32")

    def test_pix2pix(self):
        self.need_data("facades")
        self.assert_trains(FACADES, "generator")  # most of it is L1


if __name__ == "__main__":
    unittest.main()
