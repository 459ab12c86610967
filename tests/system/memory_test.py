"""What --dry-run says of memory is what a run then takes, of small models and of large ones in training; and what
there is too little of ends a run with one message."""

import json
import os
import re
import resource
import sys
import unittest

import own_files
from launch import FEW, SystemTest, in_process, losses, on_ranks

USAGE = 2

# Whatever scores them has read all of the dataset.
STEPS = ["--set", "score.metric=blocks", "--set", "data.max_samples=200", "--set", "score.n_samples=250",
         "--set", "fitness.n_samples=250", "--set", "threads=2"]

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
    def assert_estimated(self, arguments, delta=0.15):
        """Returns the lines of the run's metrics.jsonl."""
        dry = self.run_to_end(in_process(*arguments, "--dry-run"))
        found = re.search(r"^memory: \S+: ([0-9.]+) ([MG])B in 1 process", dry.output, re.MULTILINE)
        estimated = float(found[1]) * (1000 if found[2] == "G" else 1)
        output = self.folder / "run"
        run = self.run_to_end(in_process(*arguments, "--quiet", "--output", output))
        self.assertEqual(run.exit_code, 0, run.output)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6  # of the largest one so far
        self.assertAlmostEqual(estimated / peak, 1, delta=delta, msg=f"{estimated} MB of {peak} MB")
        return [json.loads(line) for line in (output / "metrics.jsonl").read_text().splitlines()]


@unittest.skipUnless(sys.platform == "linux", "reads the peak of resident memory as Linux tells it")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class Memory(MeasuredTest):
    def test_a_dry_run_tells_what_convolutions_take(self):
        self.assert_estimated([*STEPS, "--generations", 2, "--grid", "1x2", "--set", "model=dcgan28"])

    def test_a_dry_run_tells_what_micro_batches_on_threads_take(self):
        self.assert_estimated([*STEPS, "--generations", 2, "--grid", "1x1", "--set", "model=dcgan28",
                               "--set", "data.micro_batches=4", "--set", "threads_per_worker=2"])

    def test_a_dry_run_tells_what_ranks_of_a_cell_take(self):
        """After some generations. Messages that wait for nobody are not all there at once, as a dry run counts them."""
        self.assert_estimated([*STEPS, "--generations", 6, "--grid", "1x1", "--set", "model=dcgan28",
                               "--set", "data.micro_batches=4", "--set", "ranks_per_cell=2"], delta=0.2)

    def test_a_dry_run_tells_what_shards_of_networks_take(self):
        self.assert_estimated([*STEPS, "--generations", 6, "--grid", "1x1", "--set", "model=dcgan28",
                               "--set", "data.micro_batches=4", "--set", "ranks_per_cell=2",
                               "--set", "generator.zero=3", "--set", "discriminator.zero=2"], delta=0.2)

    def test_a_dry_run_tells_what_stages_of_a_pipeline_take(self):
        self.assert_estimated([*STEPS, "--generations", 6, "--grid", "1x1", "--set", "model=dcgan28",
                               "--set", "data.micro_batches=4", "--set", "ranks_per_cell=2",
                               "--set", "pipeline.stages=2"], delta=0.25)

    def test_a_dry_run_tells_what_linear_layers_take(self):
        """After some generations, when all that is sent and saved has been there at once."""
        self.assert_estimated([*STEPS, "--generations", 6, "--grid", "2x2", "--set", "model=mlp"])

    def test_a_dry_run_tells_what_training_a_judge_takes(self):
        """Of data whose judge is not shipped; cells may begin to train before it is there, or after."""
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        own_files.put_shapes(self.folder / "shapes", 600)
        self.assert_estimated([*STEPS, "--generations", 2, "--grid", "1x1", "--set", "model=dcgan28",
                               "--set", "score.metric=frechet", "--dataset", "image-folder",
                               "--data-path", self.folder / "shapes", "--set", "data.size=28",
                               "--set", "data.channels=1"], delta=0.2)


@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class Limits(SystemTest):
    def run_within(self, megabytes, command):
        n_bytes = megabytes << 20
        return self.start(command, lambda: resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))).wait()

    def test_a_limit_on_addresses_is_held_against_what_is_needed(self):
        output = self.folder / "run"
        finished = self.run_within(600, in_process("--grid", "32x32", "--output", output))
        self.assertEqual(finished.exit_code, USAGE, finished.output)
        self.assert_one_message(finished, r"memory: \S+ needs .* GB more for 1024 cells on \d+ workers?, but .* MB are "
                                          r"left of the address space of a process \(ulimit -v")
        self.assertFalse(output.exists())

    def test_mp3_a_model_that_a_rank_refuses_trains_on_two_stages(self):
        """Deep networks whose values of a batch are what takes memory; the bits are those of one rank."""
        def deep(inputs, outputs):
            return {"inputs": [inputs], "layers": [*[{"kind": "linear", "outputs": 256, "activation": "relu"}] * 16,
                                                   {"kind": "linear", "outputs": outputs}]}
        config = self.folder / "deep.json"
        config.write_text(json.dumps({"model": {"generator": deep(64, 2), "discriminator": deep(2, 1)}}))
        n = 20000
        training = ["--config", config, *ALONE, "--dataset", "ring8", "--generations", 1, "--set", f"data.batch_size={n}",
                    "--set", f"data.max_samples={n}", "--quiet"]
        whole, stages, elsewhere = (self.folder / name for name in ("whole", "stages", "elsewhere"))
        refused = self.run_within(1150, on_ranks(2, *training, "--output", whole))
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, r"memory: \S+ needs .* GB more for 1 cell on 1 worker, but .* pipeline.stages")
        self.assertFalse(whole.exists())
        two = ["--set", "ranks_per_cell=2", "--set", "pipeline.stages=2"]
        trained = self.run_within(1150, on_ranks(3, *training, *two, "--output", stages))
        self.assertEqual(trained.exit_code, 0, trained.output)
        unlimited = self.run_to_end(in_process(*training, "--output", elsewhere))
        self.assertEqual(unlimited.exit_code, 0, unlimited.output)
        self.assertEqual(*(json.loads((folder / "result.json").read_text())["fingerprint"]
                           for folder in (stages, elsewhere)))

    def test_memory_that_is_refused_later(self):
        """Wherever that is: starting threads, opening data, making oneDNN's primitives, training."""
        unchecked = [*STEPS, "--generations", 2, "--set", "model=mlp", "--set", "check_memory=false", "--quiet"]
        for megabytes in (80, 150, 300, 550, 650, 750):
            output = self.folder / str(megabytes)
            finished = self.run_within(megabytes, in_process(*unchecked, "--grid", "6x6", "--output", output))
            self.assertEqual(finished.exit_code, USAGE, f"{megabytes} MB: {finished.output}")
            self.assert_one_message(finished, "out of memory: |out of threads or of memory for one: |cannot start ")
        # One worker: each of several that are refused may tell of it.
        ranks = self.run_within(900, on_ranks(2, *unchecked, "--grid", "12x12", "--output", self.folder / "ranks"))
        self.assertEqual(ranks.exit_code, USAGE, ranks.output)
        self.assert_one_message(ranks, r"rank 1 on \S+: out of memory: [0-9]+ bytes were asked for in vain; use a smaller")


@unittest.skipUnless(sys.platform == "linux", "reads the peak of resident memory as Linux tells it")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class LargeModels(MeasuredTest):
    def assert_trains(self, arguments):
        """A few steps lower the score; returns the lines of all generations."""
        lines = self.assert_estimated(arguments)
        self.assertLess(lines[-1]["score"], lines[0]["score"])
        return lines

    def assert_trains_with_hinge_loss(self, model):
        """At some time the discriminator tells images apart; at the end the generator may have the upper hand."""
        untrained = 2  # of a discriminator that gives 0 to everything
        lines = self.assert_trains([*CIFAR, "--set", f"model={model}"])
        losses_of_all = [line["discriminator"]["loss"] for line in lines]
        self.assertLess(min(losses_of_all), 0.5 * untrained, losses_of_all)

    def test_sngan32(self):
        self.need_data("cifar10")
        self.assert_trains_with_hinge_loss("sngan32")

    def test_biggan32(self):
        self.need_data("cifar10")
        self.assert_trains_with_hinge_loss("biggan32")

    def test_pix2pix(self):
        self.need_data("facades")
        self.assert_trains(FACADES)


if __name__ == "__main__":
    unittest.main()
