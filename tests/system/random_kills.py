"""Kills a random worker at a random moment, as often as the argument says (default 50).

17 ranks and a spare train a 4x4 grid; every run must end with the fingerprint of an undisturbed one,
in the time that recovery takes, and leave nothing behind. LIPIZZ_TEST_SEED makes the same choices again.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import time

from launch import Running, on_ranks, shared_memory_files

N_RANKS = 18  # a master, 16 workers, a spare
DEADLINE_S = 300
EXPERIMENT = ["--grid", "4x4", "--generations", 6, "--set", "data.max_samples=4000", "--quiet",
              "--set", "score.n_samples=200", "--set", "score.n_samples_training=100",
              "--set", "comm.heartbeat_s=0.5", "--set", "comm.late_after_s=4", "--set", "comm.dead_after_s=8"]
LEFTOVERS = re.compile(r"vader|ompi|lipizz")


class Round:
    """One run in a folder of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-kills-"))
        self.run = self.folder / "run"
        self.log = self.run / "run.log"

    def start(self):
        command = on_ranks(N_RANKS, *EXPERIMENT, "--output", self.run, launcher=["--enable-recovery"])
        running = Running(command, self.folder)
        running.wait_until(lambda: self.log.exists() and "all workers answer" in self.log.read_text(), "first heartbeats")
        return running

    def finish(self, running):
        finished = running.wait(DEADLINE_S)
        if finished.exit_code != 0:
            raise AssertionError(f"exit code {finished.exit_code}:\n{finished.output}")
        left = [name for name in os.listdir(self.folder) if LEFTOVERS.match(name)]
        if left:
            raise AssertionError(f"left behind: {left}")
        return json.loads((self.run / "result.json").read_text())["fingerprint"]

    def lost(self):
        return re.findall(r"rank (\d+) on \S+ \(.*\) is given up after ([0-9.]+) s", self.log.read_text())

    def restarted_from(self):
        return re.findall(r"all cells (?:go on from generation (\d+)|begin again)", self.log.read_text())

    def generations_when_lost(self):
        """The newest generation that any cell had told of when the first loss was noticed."""
        lines = (self.run / "metrics.jsonl").read_text().splitlines()
        return len(lines) // 16

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def undisturbed():
    with Round() as this, this.start() as running:
        begin = time.monotonic()
        fingerprint = this.finish(running)
        return fingerprint, time.monotonic() - begin


def killed(victim, after_s):
    """The fingerprint and what was noticed; None when the run was over before."""
    with Round() as this, this.start() as running:
        begin = time.monotonic()
        while time.monotonic() - begin < after_s:
            if "finished, fingerprint" in this.log.read_text():
                running.wait(DEADLINE_S)
                return None
            time.sleep(0.01)
        reached = this.generations_when_lost() if (this.run / "metrics.jsonl").exists() else 0
        running.signal_rank(victim, signal.SIGKILL)
        fingerprint = this.finish(running)
        took_s = time.monotonic() - begin
        return fingerprint, reached, this.lost(), this.restarted_from(), took_s


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(os.environ.get("LIPIZZ_TEST_SEED", time.time_ns() % 2**32))
    choose = random.Random(seed)
    before = shared_memory_files()
    expected, duration_s = undisturbed()
    print(f"seed {seed}; undisturbed: fingerprint {expected}, {duration_s:.1f} s", flush=True)
    done = 0
    while done < wanted:
        victim, after_s = choose.randrange(1, N_RANKS), choose.uniform(0, duration_s)
        outcome = killed(victim, after_s)
        if outcome is None:
            continue
        done += 1
        fingerprint, reached, lost, restarts, took_s = outcome
        print(f"{done}: rank {victim} after {after_s:.1f} s in generation {reached + 1}: given up {lost}, "
              f"gone on from {restarts}, {took_s:.1f} s in all, fingerprint {fingerprint}", flush=True)
        if fingerprint != expected:
            sys.exit(f"expected fingerprint {expected}")
    left = shared_memory_files() - before
    if left:
        sys.exit(f"left in shared memory: {left}")
    print(f"{wanted} kills, {wanted} times the same fingerprint")


if __name__ == "__main__":
    main()
