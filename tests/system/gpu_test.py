"""Runs on the GPUs of this machine."""

import os
import subprocess

from launch import FEW, SMALL, SystemTest
from on_gpus import OnGpus

NO_GPU = 77
WITH_CONVOLUTIONS = [*FEW, "--set", "model=dcgan28"]


class Gpu(OnGpus, SystemTest):
    is_choosy = True  # cuBLAS chooses by the number of matrices
    grids = (["--grid", "2x2", *SMALL], ["--grid", "4x4", *SMALL], ["--grid", "1x2", *WITH_CONVOLUTIONS])
    checked = (["--grid", "1x1", *FEW], ["--grid", "1x1", *WITH_CONVOLUTIONS],
               ["--grid", "1x1", *WITH_CONVOLUTIONS, "--set", "precision=tf32"],
               ["--grid", "1x1", *WITH_CONVOLUTIONS, "--set", "precision=bf16"])

    def setUp(self):
        super().setUp()
        probe = subprocess.run([os.environ["LIPIZZ_DEVICE_PROBE"], "/bin/true"], capture_output=True, text=True)
        if probe.returncode == NO_GPU:
            self.skipTest(probe.stdout.strip())
        self.assertEqual(probe.returncode, 0, probe.stdout)
