"""What scripts/quickstart.sh says before it installs and builds anything. LIPIZZ_BUILD names the folder that the program
was built in."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "quickstart.sh"
BINARY = pathlib.Path(os.environ["LIPIZZ_BUILD"]) / "bin" / "lipizz"


class Quickstart(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="lipizz-quickstart-")
        self.addCleanup(temporary.cleanup)
        self.tools = pathlib.Path(temporary.name)
        for tool in ("cmake", "apt-get", "dpkg-query"):
            (self.tools / tool).write_text("#!/bin/sh\necho began to build >&2; exit 9\n")
            (self.tools / tool).chmod(0o755)

    def start(self, *options):
        return subprocess.run([SCRIPT, *options], text=True, timeout=50, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"})

    def test_help_is_printed_without_a_build(self):
        result = self.start("--help")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("scripts/quickstart.sh [OPTIONS]", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_a_misspelt_option_is_refused_without_a_build(self):
        for options in (["--gird", "2x2"], ["--grid", "2x2", "--sead=3"]):
            result = self.start(*options)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, "^quickstart.sh: there is no option --(gird|sead); there are .*--grid")
            self.assertNotIn("began to build", result.stderr)

    def test_every_option_of_launch_gets_as_far_as_the_build(self):
        text = subprocess.run([BINARY, "help", "launch"], text=True, timeout=50, stdout=subprocess.PIPE).stdout
        options = sorted(set(re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE)))
        self.assertIn("--grid", options)
        for options in (options, ["--", "--host", "a"]):
            self.assertIn("began to build", self.start(*options).stderr)


if __name__ == "__main__":
    unittest.main()
