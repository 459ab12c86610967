"""Runs on GPUs that the host plays (tests/support/pretend_gpu.cpp): who computes with what, and what a
run says about it. Their kernels are those of real ones, so results agree with the processor's as
those do."""

import json
import os

from launch import FEW, SystemTest, in_process, on_ranks

USAGE = 2
# The host plays slowly.
GRID = ["--grid", "2x2", "--generations", 2, "--dataset", "ring8", *FEW]


class Gpu(SystemTest):
    def setUp(self):
        super().setUp()
        os.environ["LIPIZZ_PLUGIN_DIR"] = os.environ["LIPIZZ_PRETEND_DIR"]
        self.have(1)

    def have(self, n_gpus):
        os.environ["LIPIZZ_PRETEND_GPUS"] = str(n_gpus)

    def computes_with(self, result):
        return [rank["computes_with"] for rank in result["inventory"]]

    def test_auto_chooses_what_is_there_and_says_so(self):
        run = self.run_to_end(in_process("--device", "auto", "--output", "gpu", *GRID))
        self.assertIn("auto chose the GPUs", run.output)
        self.assertEqual(json.loads((self.folder / "gpu/config.json").read_text())["device"], "cuda")
        self.have(0)
        run = self.run_to_end(in_process("--device", "auto", "--output", "cpu", *GRID))
        self.assertIn("auto chose the processor", run.output)
        self.assertIn("the pretended ones are gone", run.output)
        expected = self.result_of(in_process(*GRID))["fingerprint"]
        self.assertEqual(json.loads((self.folder / "cpu/result.json").read_text())["fingerprint"], expected)

    def test_results_agree_with_the_processor_s(self):
        for arguments in (GRID, ["--grid", "1x2", *FEW, "--generations", 1]):
            on_cpu = self.result_of(in_process(*arguments))
            on_gpu = self.result_of(in_process("--device", "cuda", *arguments))
            for expected, found in zip(on_cpu["cells"], on_gpu["cells"]):
                self.assertAlmostEqual(found["score"], expected["score"], delta=0.01 * expected["score"])

    def test_gpus_are_dealt_out_to_workers(self):
        self.have(2)
        result = self.result_of(on_ranks(4, "--device", "cuda", *GRID))
        self.assertEqual(self.computes_with(result), ["", "cuda:0", "cuda:1", "cuda:0"])
        self.assertEqual(self.computes_with(self.result_of(in_process("--device", "cuda", *GRID))),
                         ["", "cuda:0", "cuda:1"], "one worker for each GPU")

    def test_gpus_and_cores_train_one_grid(self):
        for command in (on_ranks(4, "--device", "cuda+cpu", *GRID),
                        in_process("--device", "cuda+cpu", "--set", "threads=3", *GRID)):
            result = self.result_of(command)
            self.assertEqual(self.computes_with(result), ["", "cuda:0", "cpu", "cpu"])
            self.assertIsNone(result["inventory"][0]["pace_ms"])
            for worker in result["inventory"][1:]:
                self.assertGreater(worker["pace_ms"]["fixed"] + worker["pace_ms"]["per_cell"], 0)
            self.assertEqual(len(result["cells"]), 4)

    def test_check_compares_a_whole_run(self):
        self.result_of(in_process("--device", "check", "--grid", "1x1", "--generations", 1, *FEW))

    def test_a_gpu_that_is_missing_is_named(self):
        for arguments, message in ((["--device", "cuda:1"], "there is no cuda:1"),
                                   (["--device", "cuda+cpu", "--set", "precision=tf32"], "f32 only")):
            self.assert_refused([*arguments, *GRID], message)
        self.have(0)
        for device in ("cuda", "cuda:0", "check", "cuda+cpu"):
            self.assert_refused(["--device", device, *GRID], "the pretended ones are gone")

    def assert_refused(self, arguments, message):
        for command in (in_process(*arguments), on_ranks(3, *arguments)):
            run = self.run_to_end([*command, "--output", "refused"])
            self.assertEqual(run.exit_code, USAGE, run.output)
            self.assertEqual(run.output.count("lipizz: "), 1, run.output)
            self.assertIn(message, run.output)
            self.assertFalse((self.folder / "refused").exists())
