"""What holds for runs on GPUs, be they real ones or such that the host plays: their results agree with the
processor's, and are the same twice."""

import json

from launch import in_process, on_ranks


# Of a score, after a generation or two: the processor's own engines come within 4e-9 of one another there, and cells
# differ by 1e-3.
TOLERANCE = 1e-4


class OnGpus:
    """`grids`: what is trained on them, the first in 2x2 cells; `checked`: what --device check compares; `is_choosy`: True
    where a cell's bits may depend on how many others its worker has."""

    is_choosy = False

    def computes_with(self, result):
        return [rank["computes_with"] for rank in result["inventory"]]

    def assert_near(self, found, expected):
        for one, other in zip(found["cells"], expected["cells"], strict=True):
            self.assertAlmostEqual(one["score"], other["score"], delta=TOLERANCE * other["score"])

    def test_results_agree_with_the_processor_s(self):
        for grid in self.grids:
            on_cpu = self.result_of(in_process("--generations", 1, *grid))
            on_gpu = self.result_of(in_process("--device", "cuda", "--generations", 1, *grid))
            self.assert_near(on_gpu, on_cpu)

    def test_ranks_share_gpus_and_give_the_same_answer(self):
        grid = ["--device", "cuda", "--generations", 2, *self.grids[0]]
        expected = self.result_of(in_process(*grid))
        self.assertEqual(self.result_of(in_process(*grid))["fingerprint"], expected["fingerprint"], "a second time")
        of_two_workers = self.result_of(on_ranks(3, *grid))
        self.assert_near(of_two_workers, expected)
        if not self.is_choosy:
            self.assertEqual(of_two_workers["fingerprint"], expected["fingerprint"])

    def test_ranks_of_a_cell_compute_together(self):
        grid = ["--device", "cuda", "--generations", 2, *self.grids[0]]
        for n_micro_batches, n_ranks, layout in ((4, 2, ()), (4, 2, ("generator.zero=3", "discriminator.zero=2")),
                                                 (4, 4, ("pipeline.stages=2", "discriminator.zero=3")),
                                                 (1, 2, ("pipeline.stages=2",))):
            parts = ["--set", f"data.micro_batches={n_micro_batches}"]
            expected = self.result_of(in_process("--set", "threads=1", *parts, *grid))
            settings = [part for each in (f"ranks_per_cell={n_ranks}", *layout) for part in ("--set", each)] + parts
            for command in (in_process("--set", "threads=1", *settings, *grid), on_ranks(1 + n_ranks, *settings, *grid)):
                result = self.result_of(command)
                self.assertEqual([each[:4] for each in self.computes_with(result)], ["", *["cuda"] * n_ranks])
                self.assert_near(result, expected)
                if not self.is_choosy:
                    self.assertEqual(result["fingerprint"], expected["fingerprint"], layout)

    def test_z4_moments_stay_on_the_host(self):
        grid = ["--device", "cuda", "--generations", 2, *self.grids[0]]
        expected = self.result_of(in_process(*grid))
        for offload in ("host", "disk"):
            settings = [part for network in ("generator", "discriminator")
                        for part in ("--set", f"{network}.offload={offload}")]
            result = self.result_of(in_process(*settings, "--set", f"offload_folder={self.folder}", *grid))
            self.assertEqual(result["fingerprint"], expected["fingerprint"], offload)

    def test_goes_on_to_the_same_answer(self):
        grid = ["--device", "cuda", *self.grids[0]]
        expected = self.result_of(in_process("--generations", 3, *grid))["fingerprint"]
        for command in (["--generations", 1, *grid, "--output", "run"],
                        ["--resume", "run", "--generations", 3]):
            run = self.run_to_end(in_process("--quiet", *command))
            self.assertEqual(run.exit_code, 0, run.output)
        self.assertEqual(json.loads((self.folder / "run/result.json").read_text())["fingerprint"], expected)

    def test_gpus_and_cores_train_one_grid(self):
        grid = ["--device", "cuda+cpu", "--generations", 2, *self.grids[0]]
        for command in (on_ranks(4, *grid), in_process("--set", "threads=3", *grid)):
            result = self.result_of(command)
            self.assertEqual(self.computes_with(result)[:2], ["", "cuda:0"])
            self.assertEqual(self.computes_with(result)[-1], "cpu")
            self.assertIsNone(result["inventory"][0]["batch_ms"])
            for worker in result["inventory"][1:]:
                self.assertGreater(worker["batch_ms"]["fixed"] + worker["batch_ms"]["per_cell"], 0)
            self.assertEqual(len(result["cells"]), 4)

    def test_check_compares_whole_runs(self):
        for grid in self.checked:
            self.result_of(in_process("--device", "check", "--generations", 1, *grid))
