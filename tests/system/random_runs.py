"""Runs that are disturbed at random moments, and must all come to the end of an undisturbed one."""

import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

from launch import Running, in_process, shared_memory_files

DEADLINE_S = 300
LEFTOVERS = re.compile(r"vader|ompi|lipizz")


class Round:
    """One run in a folder of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-random-"))
        self.run = self.folder / "run"

    def start(self, command, after=(), before=None):
        """`after` stands behind all that is said to lipizz; `before` is called in the new process."""
        running = Running([*map(str, command), "--output", str(self.run), *after], self.folder, before)
        running.wait_until(lambda: self.metrics() or self.is_finished(), "a first generation")
        return running

    def text(self, name):
        path = self.run / name
        return path.read_text() if path.exists() else ""

    def metrics(self):
        return self.text("metrics.jsonl").splitlines()

    def is_finished(self):
        return "finished, fingerprint" in self.text("run.log")

    def wait(self, after_s):
        """Waits for so long, or until the run has finished."""
        begin = time.monotonic()
        while time.monotonic() - begin < after_s and not self.is_finished():
            time.sleep(0.01)

    def finish(self, running, exit_codes=(0,)):
        finished = running.wait(DEADLINE_S)
        if finished.exit_code not in exit_codes:
            raise AssertionError(f"exit code {finished.exit_code}:\n{finished.output}")
        left = [name for name in os.listdir(self.folder) if LEFTOVERS.match(name)]
        if left:
            raise AssertionError(f"left behind: {left}:\n{finished.output}")
        return finished

    def resume(self):
        with Running(in_process("--resume", self.run, "--quiet"), self.folder) as running:
            self.finish(running)

    def fingerprint(self):
        return json.loads(self.text("result.json"))["fingerprint"]

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure is not None:
            print(self.text("run.log"), flush=True)
        shutil.rmtree(self.folder)


def disturb_again_and_again(experiment, disturb):
    """`disturb(choose, duration_s)` does it once and returns the fingerprint and what was seen; None when the run was
    over before. The argument of the program says how often, LIPIZZ_TEST_SEED makes the same choices again."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(os.environ.get("LIPIZZ_TEST_SEED", time.time_ns() % 2**32))
    choose = random.Random(seed)
    before = shared_memory_files()
    with Round() as this, this.start(in_process(*experiment)) as running:
        begin = time.monotonic()
        this.finish(running)
        expected, duration_s = this.fingerprint(), time.monotonic() - begin
    print(f"seed {seed}; undisturbed: fingerprint {expected}, {duration_s:.1f} s", flush=True)
    done = 0
    while done < wanted:
        outcome = disturb(choose, duration_s)
        if outcome is None:
            continue
        done += 1
        fingerprint, seen = outcome
        print(f"{done}: {seen}, fingerprint {fingerprint}", flush=True)
        if fingerprint != expected:
            sys.exit(f"expected fingerprint {expected}")
    left = shared_memory_files() - before
    if left:
        sys.exit(f"left in shared memory: {left}")
    print(f"{wanted} times, {wanted} times the same fingerprint")
