"""The same answer anywhere: one fingerprint, whatever ranks, threads and placement."""

import json
import math
import pathlib
import random
import re
import unittest

from launch import (CLASSES, CONVOLUTIONS, FEW, FEWER, LARGE, MEANS, PAIRS, PENALTY, POINTS, SMALL, SystemTest, in_process,
                    on_ranks)


# A copy of the model `mlp`.
MLP = {
    "generator": {"inputs": [64], "layers": [
        {"kind": "linear", "outputs": 256, "activation": "leaky-relu"},
        {"kind": "linear", "outputs": 256, "activation": "leaky-relu"},
        {"kind": "linear", "outputs": 784, "activation": "tanh"}]},
    "discriminator": {"inputs": [784], "layers": [
        {"kind": "linear", "outputs": 256, "activation": "leaky-relu"},
        {"kind": "linear", "outputs": 256, "activation": "leaky-relu"},
        {"kind": "linear", "outputs": 1}]}}


def write_noise(path, *shape):
    """Bytes of such a shape as a .npy file."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}}}".ljust(117).encode() + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
                     + random.Random(1).randbytes(math.prod(shape)))


class Fingerprint(SystemTest):
    def fingerprint(self, command):
        return self.fingerprint_in(self.result_of(command))

    def fingerprint_in(self, result):
        fingerprint = result["fingerprint"]
        self.assertRegex(fingerprint, "^[0-9a-f]{16}$")
        return fingerprint

    def assert_one_answer(self, arguments, rank_counts):
        expected = self.fingerprint(in_process(*arguments))
        for n_ranks in rank_counts:
            self.assertEqual(self.fingerprint(on_ranks(n_ranks, *arguments)), expected, f"{n_ranks} ranks")

    def assert_one_answer_of_16_cells(self, dataset, rank_counts, *settings):
        arguments = ["--grid", "4x4", "--generations", 2, "--dataset", dataset, *SMALL, *settings]
        self.assert_one_answer(arguments, rank_counts)

    def test_4x4_glyphs(self):
        self.assert_one_answer_of_16_cells("glyphs", [17])

    def test_4x4_points(self):
        # Four cells for each worker; one each, and three spares.
        self.assert_one_answer(["--grid", "4x4", "--generations", 2, *POINTS], [5, 20])

    def test_4x4_mnist(self):
        self.need_data("mnist")
        self.assert_one_answer_of_16_cells("mnist", [17], "--set", "score.metric=blocks")

    def test_1x1(self):
        self.assert_one_answer(["--grid", "1x1", "--generations", 2, *POINTS], [2, 3])

    def test_1x3(self):
        self.assert_one_answer(["--grid", "1x3", "--generations", 2, *POINTS], [2, 3, 4])

    def test_2x2(self):
        self.assert_one_answer(["--grid", "2x2", "--generations", 2, *SMALL], [2, 4])

    def test_3x5(self):
        self.assert_one_answer(["--grid", "3x5", "--generations", 2, *POINTS], [16])

    def test_threads_of_workers(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS]
        cut = [*arguments, "--set", "data.micro_batches=3"]
        expected = self.fingerprint(in_process(*cut))
        self.assertNotEqual(self.fingerprint(in_process(*arguments)), expected)
        for command in (in_process(*cut, "--set", "threads_per_worker=2"),
                        on_ranks(3, *cut, "--set", "threads_per_worker=3")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_ranks_of_cells(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=4"]
        alone = self.result_of(in_process(*arguments))
        self.assertEqual({worker["wall_s"]["helpers"] for worker in alone["profile"]}, {0})
        expected = self.fingerprint_in(alone)
        pairs = [*arguments, "--set", "ranks_per_cell=2"]
        for command in (in_process(*pairs), on_ranks(3, *pairs), on_ranks(5, *pairs),
                        on_ranks(5, *pairs, "--set", "threads_per_worker=2"),
                        on_ranks(4, *arguments, "--set", "ranks_per_cell=3")):
            result = self.result_of(command)
            self.assertEqual(result["fingerprint"], expected)
            for worker in result["profile"]:
                self.assertGreater(worker["wall_s"]["helpers"], 0)
                self.assertLess(worker["wall_s"]["gather"] + worker["wall_s"]["helpers"], worker["wall_s"]["total"])

    def test_each_network_in_micro_batches_of_its_own(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=4"]
        own = [*arguments, "--set", "generator.micro_batches=2"]
        expected = self.fingerprint(in_process(*own))
        self.assertNotEqual(self.fingerprint(in_process(*arguments)), expected)
        two = ["--set", "ranks_per_cell=2"]
        for command in (on_ranks(5, *own, *two, "--set", "discriminator.zero=3"),
                        on_ranks(3, *own, *two, "--set", "pipeline.stages=2")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_hy2_ranks_of_cells_with_synchronised_batch_norm(self):
        arguments = ["--grid", "2x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=3"]
        synchronised = [*arguments, "--set", "data.sync_batch_norm=true"]
        expected = self.fingerprint(in_process(*synchronised))
        self.assertNotEqual(self.fingerprint(in_process(*arguments)), expected)
        pairs = [*synchronised, "--set", "ranks_per_cell=2"]
        for command in (in_process(*pairs), on_ranks(9, *pairs),
                        on_ranks(4, *synchronised, "--set", "ranks_per_cell=3")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_shards_of_networks(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=4",
                     "--set", "generator.average_decay=0.9"]
        expected = self.fingerprint(in_process(*arguments))
        two = ["--set", "ranks_per_cell=2"]
        all_shards = ["--set", "generator.zero=3", "--set", "discriminator.zero=3"]
        for command in (in_process(*arguments, *two, *all_shards), on_ranks(5, *arguments, *two, *all_shards),
                        on_ranks(5, *arguments, "--set", "ranks_per_cell=4", *all_shards),
                        on_ranks(5, *arguments, "--set", "ranks_per_cell=4", "--set", "pipeline.stages=2", *all_shards),
                        on_ranks(3, *arguments, *two, "--set", "generator.zero=3", "--set", "discriminator.zero=0"),
                        in_process(*arguments, *two, "--set", "generator.zero=2", "--set", "discriminator.zero=3")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_z4_moments_on_disk(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=2"]
        expected = self.fingerprint(in_process(*arguments))
        on_disk = [*arguments, "--set", "generator.offload=disk", "--set", "discriminator.offload=disk",
                   "--set", f"offload_folder={self.folder}"]
        for command in (in_process(*on_disk), on_ranks(3, *on_disk), on_ranks(5, *on_disk, "--set", "ranks_per_cell=2")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_stages_of_pipelines(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=3",
                     "--set", "generator.average_decay=0.9"]
        expected = self.fingerprint(in_process(*arguments))
        pairs = [*arguments, "--set", "ranks_per_cell=2", "--set", "pipeline.stages=2"]
        four = [*arguments, "--set", "ranks_per_cell=4", "--set", "pipeline.stages=2"]
        for command in (in_process(*pairs), on_ranks(3, *pairs), on_ranks(5, *pairs, "--set", "pipeline.schedule=gpipe"),
                        on_ranks(5, *pairs, "--set", "pipeline.balance=memory"),
                        on_ranks(5, *pairs, "--set", "generator.stages=1", "--set", "discriminator.stages=1"), in_process(*four), on_ranks(9, *four),
                        in_process(*four, "--set", "pipeline.stages=4")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_a_layout_that_is_chosen(self):
        settings = ["--grid", "1x1", *FEW, "--set", "model=dcgan28", "--set", "data.micro_batches=2", "--set", "layout=auto"]
        arguments, shorter = ([*settings, "--generations", n] for n in (2, 1))
        expected = self.fingerprint(on_ranks(2, *arguments))
        run = self.folder / "run"
        first = self.run_to_end(on_ranks(3, *shorter, "--output", run))
        self.assertEqual(first.exit_code, 0, first.output)
        n_cores = int(re.search(r"rank 0 on \S+: (\d+) core", (run / "run.log").read_text())[1])
        most = min(2, n_cores)
        self.assertIn(f"layout: auto chose {most} rank", first.output)
        self.assertEqual(json.loads((run / "config.json").read_text())["ranks_per_cell"], most)
        then = self.run_to_end(on_ranks(2, "--resume", run, "--generations", 2))
        self.assertIn("layout: auto chose 1 rank to a cell", then.output)
        self.assertEqual(json.loads((run / "result.json").read_text())["fingerprint"], expected)

    def test_mixed_precision(self):
        arguments = ["--grid", "1x2", "--generations", 2, *CONVOLUTIONS, "--set", "data.micro_batches=2",
                     "--set", "generator.mixed_precision=bf16", "--set", "discriminator.mixed_precision=fp16"]
        expected = self.fingerprint(in_process(*arguments))
        pairs = [*arguments, "--set", "ranks_per_cell=2"]
        for command in (in_process(*arguments, "--set", "threads_per_worker=2"), on_ranks(5, *pairs),
                        in_process(*pairs, "--set", "pipeline.stages=2")):
            self.assertEqual(self.fingerprint(command), expected)

    def test_bf16_on_processors(self):
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        if "avx512_bf16" not in flags and "amx_bf16" not in flags:
            self.skipTest("this processor does not multiply in bf16")
        for model in (SMALL, CONVOLUTIONS):
            arguments = ["--grid", "1x2", "--generations", 2, *model, "--set", "precision=bf16"]
            self.assert_one_answer(arguments, [3])
            self.assertNotEqual(self.fingerprint(in_process(*arguments)), self.fingerprint(in_process(*arguments[:-2])))

    def test_convolutions(self):
        self.assert_one_answer(["--grid", "2x2", "--generations", 2, *CONVOLUTIONS], [2, 5])

    def test_classes(self):
        self.assert_one_answer(["--grid", "2x2", "--generations", 2, *CLASSES], [2, 5])

    def test_penalty_and_augmentation(self):
        self.assert_one_answer(["--grid", "2x2", "--generations", 2, *PENALTY], [2, 5])

    def test_means_of_networks(self):
        self.assert_one_answer(["--grid", "2x3", "--generations", 4, *MEANS], [3, 7])

    def test_pairs(self):
        self.assert_one_answer(["--grid", "2x2", "--generations", 2, *PAIRS], [2, 5])

    def test_placed_by_measured_speed(self):
        arguments = ["--grid", "2x3", "--generations", 2, *POINTS]
        expected = self.fingerprint(in_process(*arguments))
        for command in (on_ranks(4, *arguments), in_process(*arguments)):
            result = self.result_of([*command, "--set", "placement=measured"])
            self.assertEqual(result["fingerprint"], expected)
            for worker in result["inventory"][1:]:
                self.assertEqual(worker["batch_ms"]["fixed"], 0)
                self.assertGreater(worker["batch_ms"]["per_cell"], 0)

    def assert_one_answer_of(self, model, dataset):
        self.need_data(dataset)
        self.assert_one_answer(["--generations", 2, *LARGE[model]], [2, 5])

    def test_sngan32(self):
        self.assert_one_answer_of("sngan32", "cifar10")

    def test_biggan32(self):
        self.assert_one_answer_of("biggan32", "cifar10")

    def test_pix2pix(self):
        self.assert_one_answer_of("pix2pix", "facades")

    def test_models_worth_splitting(self):
        write_noise(self.folder / "images.npy", 8, 128, 128, 3)
        common = [f"data.path={self.folder / 'images.npy'}", "data.batch_size=2", "data.micro_batches=2",
                  "data.max_samples=4", "score.metric=blocks", "fitness.n_samples=2", "score.n_samples=4",
                  "score.n_samples_training=4"]

        def arguments(*settings):
            words = [word for setting in [*common, *settings] for word in ("--set", setting)]
            return ["--grid", "1x1", "--generations", 1, "--dataset", "npy", *FEWER, *words]

        for model in ("model=dcgan128", "model=biggan128"):
            whole = self.fingerprint(in_process(*arguments(model)))
            for split in (["generator.zero=3", "discriminator.zero=3"], ["pipeline.stages=2"]):
                ranks = on_ranks(3, *arguments(model, "ranks_per_cell=2", *split))
                self.assertEqual(self.fingerprint(ranks), whole, f"{model} {split}")

    def test_a_model_that_is_written_out(self):
        arguments = ["--grid", "1x1", "--generations", 1, *SMALL, "--set"]
        self.assertEqual(self.fingerprint(in_process(*arguments, "model=" + json.dumps(MLP))),
                         self.fingerprint(in_process(*arguments, "model=mlp")))

    def test_threads_do_not_matter(self):
        arguments = ["--grid", "2x2", "--generations", 2, *POINTS]
        answers = {self.fingerprint(in_process(*arguments, "--set", f"threads={n}")) for n in (1, 2, 3)}
        self.assertEqual(len(answers), 1)

    def test_another_seed_gives_another_answer(self):
        arguments = ["--grid", "1x1", "--generations", 1, *POINTS]
        self.assertNotEqual(self.fingerprint(in_process(*arguments, "--seed", 1)),
                            self.fingerprint(in_process(*arguments, "--seed", 2)))


if __name__ == "__main__":
    unittest.main()
