"""scripts/gpu-check.sh with programs, a clock and a GPU that are played: what it runs, and that it ends in time."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts/gpu-check.sh"
VERB_S = 600  # what a verb may take on a machine that is lent
VERBS = ("run", "sanitize", "profile", "peers")
TESTS = "nn.graph.operations tests/nn/test_nn.graph Operations.*\ncoev.island tests/coev/test_coev Island.*\n"

# A clock in a file, in milliseconds. A program takes a second; one that is to hang takes all that it may.
DATE = 'cat "$PLAYED/clock"'
TIMEOUT = """[ "$1" = -k ] && shift 2
limit=$1; shift
took=1; code=0
case "$*" in bin/device_probe*) [ "$HANGS" = device_probe ] && { took=$limit; code=124; } ;;
  *"$HANGS"*) [ -z "$HANGS" ] || { took=$limit; code=124; } ;; esac
echo $(($(cat "$PLAYED/clock") + took * 1000)) > "$PLAYED/clock"
[ $code = 124 ] || "$@" || code=$?
exit $code"""
PROGRAM = """echo "$(basename "$0") $*" >> "$PLAYED/called"
cat "$PLAYED"/results/*.txt > "$PLAYED/seen" 2> /dev/null
echo "says $(basename "$0")"
case "$*" in *"$FAILS"*) [ -z "$FAILS" ] ;; esac"""
PROBE = 'if [ -n "$FAULT" ]; then echo "failed: $FAULT"; exit 1; fi'


class GpuCheck(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.package = self.folder / "package"
        (self.package / "bin").mkdir(parents=True)
        shutil.copy(SCRIPT, self.package)
        (self.package / "gpu_tests.txt").write_text(TESTS)
        for name in ("lipizz", "bench_cells", "test_nn.graph", "test_coev"):
            self.play(self.package / "bin" / name, PROGRAM)
        self.play(self.package / "bin/device_probe", PROBE)
        path = self.folder / "path"
        path.mkdir()
        self.play(path / "date", DATE)
        self.play(path / "timeout", TIMEOUT)
        for name in ("nvidia-smi", "compute-sanitizer", "ncu", "python3"):
            self.play(path / name, PROGRAM)
        self.environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "PLAYED": str(self.folder),
                            "TMPDIR": str(self.folder), "HANGS": "", "FAILS": "", "FAULT": ""}

    def play(self, path, script):
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def check(self, *arguments, script=None, **played):
        (self.folder / "clock").write_text("1000000")
        (self.folder / "called").write_text("")
        return subprocess.run(["bash", script or self.package / "gpu-check.sh", *arguments], cwd=self.folder, text=True,
                              env={**self.environment, **played}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def seconds(self):
        return (int((self.folder / "clock").read_text()) - 1000000) / 1000

    def table(self, verb):
        return (self.folder / "results" / f"{verb}.txt").read_text()

    def test_writes_a_table_and_a_log_of_each_verb(self):
        for verb in VERBS:
            ended = self.check(verb)
            self.assertEqual(ended.returncode, 0, ended.stdout)
            self.assertEqual(self.table(verb), ended.stdout)
            self.assertNotIn("FAILED", ended.stdout)
        self.assertRegex(self.table("run"), r"says nvidia-smi\n(?s:.*)nn.graph.operations +passed +1000 ms of 60 s\n")
        for row in ("coev.island", "checked-bf16", "cells-dcgan64-64-1-bf16", "  | says bench_cells", "grid-on-both"):
            self.assertIn(row, self.table("run"))
        self.assertIn("== coev.island: bin/test_coev --gtest_filter=Island.*\nsays test_coev\n",
                      (self.folder / "results/run.log").read_text())
        self.assertLessEqual(len(list((self.folder / "results").iterdir())), 8)

    def test_rows_are_written_as_they_come(self):
        self.check("sanitize")
        before_the_last = (self.folder / "seen").read_text()
        self.assertEqual(len(before_the_last.splitlines()), len(self.table("sanitize").splitlines()) - 1)

    def assert_in_time(self, verb, hangs):
        ended = self.check(verb, HANGS=hangs)
        self.assertLess(self.seconds(), VERB_S - 60, f"{verb} with {hangs}")
        self.assertEqual(ended.returncode == 0, hangs == "import torch", ended.stdout)
        return ended.stdout

    def test_ends_in_time_whatever_hangs(self):
        for verb in VERBS:
            self.assertIn("no GPU: no answer in 60 s", self.assert_in_time(verb, "device_probe"))
        for verb, hangs in (("sanitize", "bin/test"), ("peers", "cells_peers"), ("peers", "import torch")):
            self.assert_in_time(verb, hangs)

    def test_a_part_that_hangs_leaves_time_for_the_others(self):
        table = self.assert_in_time("run", "--gtest_filter")
        self.assertRegex(table, r"coev.island +FAILED \(124\)")
        self.assertRegex(table, r"cells-mlp-100-16 +passed")
        self.assertRegex(table, r"grid-on-cores +passed")
        table = self.assert_in_time("run", "bin/")
        self.assertRegex(table, r"cells-dcgan64-64-1 +not begun: no time is left")

    def test_what_fails_is_shown_and_told_by_the_exit_code(self):
        ended = self.check("run", FAILS="Island")
        self.assertEqual(ended.returncode, 1, ended.stdout)
        self.assertRegex(ended.stdout, r"coev.island +FAILED \(1\) .*\n  \| says test_coev\n")
        self.assertRegex(ended.stdout, r"grid-on-cores +passed")

    def test_a_gpu_that_cannot_be_used_ends_it_at_once(self):
        for verb in VERBS:
            ended = self.check(verb, FAULT="libcublas.so.13 is in none of /a")
            self.assertEqual(ended.returncode, 2, ended.stdout)
            self.assertIn("libcublas.so.13 is in none of /a", ended.stdout)
            self.assertIn("libcublas.so.13 is in none of /a", self.table(verb))
            self.assertLess(self.seconds(), 5)

    def test_results_go_where_they_are_wanted(self):
        self.check("sanitize", "named")
        self.assertIn("racecheck", (self.folder / "named/sanitize.txt").read_text())

    def test_unpacks_what_it_was_packed_with(self):
        carried = self.folder / "carried"
        carried.mkdir()
        (self.package / "gpu-check.sh").rename(carried / "gpu-check.sh")
        self.package.rename(self.folder / "gpu-check")
        subprocess.run(["tar", "-C", self.folder, "-czf", carried / "gpu-check.tar.gz", "gpu-check"], check=True)
        shutil.rmtree(self.folder / "gpu-check")
        ended = self.check("sanitize", script=carried / "gpu-check.sh")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("racecheck", self.table("sanitize"))
        self.assertEqual(list(self.folder.glob("tmp.*")), [], "what was unpacked is removed")

    def test_the_plan_runs_nothing_and_keeps_to_twenty_minutes(self):
        ended = self.check("plan", script=SCRIPT)
        self.assertEqual((self.folder / "called").read_text(), "")
        limits = [int(line.split()[-2]) for line in ended.stdout.splitlines() if ": at most" in line]
        self.assertEqual(len(limits), len(VERBS), ended.stdout)
        self.assertLessEqual(sum(limits), 20 * 60)
        for step in ("each-unit-test", "checked-tf32", "racecheck", "kernels-r3-tiny-64-4", "peers-dcgan"):
            self.assertIn(step, ended.stdout)
