"""A machine with a GPU's driver on which this program cannot use it: that is an error, not a machine without GPUs."""

import os
import pathlib
import shutil
import subprocess

from launch import FEW, SystemTest, in_process, on_ranks

USAGE = 2
SKIPPED = 77
GRID = ["--grid", "1x2", "--generations", "1", "--dataset", "ring8", *FEW]


class UnusableGpu(SystemTest):
    def setUp(self):
        super().setUp()
        self.of_build = pathlib.Path(os.environ["LIPIZZ_PLUGIN_DIR"]) / "liblipizz_cuda.so"
        os.environ["LIPIZZ_PLUGIN_DIR"] = str(self.folder)

    def have_driver(self):
        """One that opens and can do nothing."""
        shutil.copy(os.environ["LIPIZZ_FAKE_LIBRARY"], self.folder / "libcuda.so.1")
        os.environ["LD_LIBRARY_PATH"] = f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"

    def have_library(self, content):
        (self.folder / "liblipizz_cuda.so").write_bytes(content)

    def probed(self):
        return subprocess.run([os.environ["LIPIZZ_DEVICE_PROBE"], "/bin/true"], capture_output=True, text=True)

    def skip_where_there_is_a_driver(self):
        if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libcuda.so.1"]).returncode == 0:
            self.skipTest("this machine has a driver")

    def assert_fails(self, *messages):
        probe = self.probed()
        self.assertEqual(probe.returncode, 1, probe.stdout)
        for device in ("cuda", "auto"):
            for command in (in_process, lambda *arguments: on_ranks(3, *arguments)):
                run = self.run_to_end([*command("--device", device, *GRID), "--output", "refused"])
                self.assertEqual(run.exit_code, USAGE, run.output)
                self.assertEqual(run.output.count("lipizz: "), 1, run.output)
                for message in messages:
                    self.assertIn(message, run.output)
                    self.assertIn(message, probe.stdout)
                self.assertFalse((self.folder / "refused").exists())

    def test_a_library_of_ours_that_does_not_load_beside_a_driver_is_an_error(self):
        self.have_driver()
        self.have_library(b"this is no library")
        self.assert_fails("a driver of GPUs", str(self.folder / "liblipizz_cuda.so"), "cannot be loaded")

    def test_a_library_of_ours_that_does_not_load_without_a_driver_is_a_reason(self):
        self.skip_where_there_is_a_driver()
        self.have_library(b"this is no library")
        probe = self.probed()
        self.assertEqual(probe.returncode, SKIPPED, probe.stdout)
        self.assertIn("cannot be loaded", probe.stdout)
        run = self.run_to_end(in_process("--device", "auto", *GRID))
        self.assertEqual(run.exit_code, 0, run.output)
        self.assertIn("auto chose the processor", run.output)

    def test_a_driver_that_cannot_be_used_is_an_error(self):
        if not self.of_build.exists():
            self.skipTest("this build has no GPU kernels")
        self.have_driver()
        self.have_library(self.of_build.read_bytes())
        self.assert_fails("driver (libcuda.so.1) cannot be used")
