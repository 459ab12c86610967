"""Runs on GPUs that the host plays (tests/support/pretend_gpu.cpp) with the kernels of real ones: who computes
with what, and what a run says about it."""

import json
import os

from launch import FEW, SystemTest, in_process, on_ranks
from on_gpus import OnGpus

USAGE = 2

# Small networks, since the host plays slowly.
POINTS = ["--dataset", "ring8", *FEW, "--set", "model=" + json.dumps({
    "generator": {"inputs": [8], "layers": [{"kind": "linear", "outputs": 16, "activation": "tanh"},
                                            {"kind": "linear", "outputs": 2}]},
    "discriminator": {"inputs": [2], "layers": [{"kind": "linear", "outputs": 16, "activation": "leaky-relu"},
                                                {"kind": "linear", "outputs": 1}]}})]


class PretendedGpu(OnGpus, SystemTest):
    grids = (["--grid", "2x2", *POINTS], ["--grid", "1x2", *FEW, "--set", "score.metric=blocks"])
    checked = (["--grid", "1x1", *FEW],)

    def setUp(self):
        super().setUp()
        os.environ["LIPIZZ_PLUGIN_DIR"] = os.environ["LIPIZZ_PRETEND_DIR"]
        self.have(1)

    def have(self, n_gpus):
        os.environ["LIPIZZ_PRETEND_GPUS"] = str(n_gpus)

    def test_auto_chooses_what_is_there_and_says_so(self):
        grid = ["--generations", 1, *self.grids[0]]
        run = self.run_to_end(in_process("--device", "auto", "--output", "gpu", *grid))
        self.assertIn("auto chose the GPUs", run.output)
        self.assertEqual(json.loads((self.folder / "gpu/config.json").read_text())["device"], "cuda")
        self.have(0)
        run = self.run_to_end(in_process("--device", "auto", "--output", "cpu", *grid))
        self.assertIn("auto chose the processor", run.output)
        self.assertIn("the pretended ones are gone", run.output)
        expected = self.result_of(in_process(*grid))["fingerprint"]
        self.assertEqual(json.loads((self.folder / "cpu/result.json").read_text())["fingerprint"], expected)

    def test_are_dealt_out_to_workers(self):
        self.have(2)
        grid = ["--device", "cuda", "--generations", 1, *self.grids[0]]
        self.assertEqual(self.computes_with(self.result_of(on_ranks(4, *grid))),
                         ["", "cuda:0", "cuda:1", "cuda:0"])
        self.assertEqual(self.computes_with(self.result_of(in_process(*grid))), ["", "cuda:0", "cuda:1"],
                         "one worker for each GPU")

    def test_a_missing_one_is_named(self):
        for arguments, message in ((["--device", "cuda:1"], "there is no cuda:1"),
                                   (["--device", "cuda+cpu", "--set", "precision=tf32"], "does not compute in tf32")):
            self.assert_refused([*arguments, *self.grids[0]], message)
        self.have(0)
        for device in ("cuda", "cuda:0", "check", "cuda+cpu"):
            self.assert_refused(["--device", device, *self.grids[0]], "the pretended ones are gone")

    def assert_refused(self, arguments, message):
        for command in (in_process(*arguments), on_ranks(3, *arguments)):
            run = self.run_to_end([*command, "--output", "refused"])
            self.assertEqual(run.exit_code, USAGE, run.output)
            self.assertEqual(run.output.count("lipizz: "), 1, run.output)
            self.assertIn(message, run.output)
            self.assertFalse((self.folder / "refused").exists())
