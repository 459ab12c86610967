"""What --dry-run says of memory is what a run then takes."""

import os
import re
import resource
import sys
import unittest

from launch import SystemTest, in_process

STEPS = ["--set", "data.max_samples=200", "--set", "score.n_samples=250", "--set", "fitness.n_samples=250",
         "--generations", 2, "--grid", "2x2", "--set", "threads=2"]


@unittest.skipUnless(sys.platform == "linux", "reads the peak of resident memory as Linux tells it")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer has memory of its own")
class Memory(SystemTest):
    def assert_estimated(self, model):
        # Without a cache the judge is trained, which reads all of the dataset.
        os.environ["XDG_CACHE_HOME"] = str(self.folder / f"cache-{model}")
        arguments = [*STEPS, "--set", f"model={model}"]
        dry = self.run_to_end(in_process(*arguments, "--dry-run"))
        estimated = float(re.search(r"^memory: \S+: ([0-9.]+) MB in 1 process", dry.output, re.MULTILINE)[1])
        run = self.run_to_end(in_process(*arguments, "--quiet", "--output", self.folder / f"run-{model}"))
        self.assertEqual(run.exit_code, 0, run.output)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6  # of the largest one so far
        self.assertAlmostEqual(estimated / peak, 1, delta=0.15, msg=f"{model}: {estimated} MB of {peak} MB")

    def test_a_dry_run_tells_what_convolutions_take(self):
        self.assert_estimated("dcgan28")

    def test_a_dry_run_tells_what_linear_layers_take(self):
        self.assert_estimated("mlp")


if __name__ == "__main__":
    unittest.main()
