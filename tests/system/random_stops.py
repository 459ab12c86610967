"""Asks runs to stop at random moments, in every way and under every launcher, as often as the argument says.

Each must end at once with code 75 (mpirun and srun: with one of their own), say what to type, and come from there to the
end of an undisturbed run, having repeated a generation at most. srun and scancel are tried where SLURM_CONF names a
Slurm that gives five tasks to a job. (At SIGTERM, SIGHUP and a second SIGINT srun kills its tasks at once; when some
have left it may kill the last one, which is code 137.)
"""

import fcntl
import functools
import itertools
import os
import pty
import re
import signal
import subprocess
import termios
import time

from launch import BINARY, in_process, on_ranks
from random_runs import Round, disturb_again_and_again

RESUMABLE = 75
EXPERIMENT = ["--grid", "2x2", "--generations", 12, "--set", "data.max_samples=1000",
              "--set", "score.n_samples=200", "--set", "score.n_samples_training=100",
              "--set", "fitness.n_samples=200"]
N_CELLS = 4
LAUNCHERS = {"alone": (in_process, (RESUMABLE,)),
             "mpirun": (lambda *arguments: on_ranks(5, *arguments), (RESUMABLE, 1, 129, 130, 143)),
             "launch": (lambda *arguments: [BINARY, "launch", "--workers", 4, *arguments], (RESUMABLE,))}
SRUN = ["srun", "--quiet", "--job-name=lipizz-stops", "--ntasks=5", "--overcommit", "--mpi=pmix", BINARY]


class Terminal:
    """A terminal that a program may be started in. Its closing hangs up."""

    def __init__(self):
        self._ours, self._theirs = pty.openpty()

    def enter(self):
        os.setsid()
        fcntl.ioctl(self._theirs, termios.TIOCSCTTY, 0)

    def close(self, _):
        os.close(self._theirs)
        os.close(self._ours)


def send(number, running):
    running.signal_launcher(number)


def scancel(_):
    subprocess.run(["scancel", "--name=lipizz-stops"], check=True)


def ways_to_ask():
    """Pairs of a launcher's name and how the run is asked, all of them again and again."""
    ways = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, "a closed terminal"]
    pairs = list(itertools.product(LAUNCHERS, ways))
    if os.environ.get("SLURM_CONF"):
        LAUNCHERS["srun"] = (lambda *arguments: [*SRUN, *map(str, arguments)], (RESUMABLE, 137))
        pairs += [("srun", way) for way in (signal.SIGUSR1, "scancel")]
    return itertools.cycle(pairs)


def stop(pairs, choose, duration_s):
    name, way = next(pairs)
    make, exit_codes = LAUNCHERS[name]
    before, ask = None, scancel
    if isinstance(way, signal.Signals):
        ask, way = functools.partial(send, way), way.name
    elif way == "a closed terminal":
        terminal = Terminal()
        before, ask = terminal.enter, terminal.close
    with Round() as this, this.start(make(*EXPERIMENT), before=before) as running:
        this.wait(choose.uniform(0, duration_s))
        if this.is_finished():
            this.finish(running)
            return None
        done = len(this.metrics()) // N_CELLS
        begin = time.monotonic()
        ask(running)
        finished = this.finish(running, (0, *exit_codes))
        took_s = time.monotonic() - begin
        if finished.exit_code == 0:  # it was at its very end
            return None
        told = re.search(rf"stopped at the end of generation (\d+) of .*; to go on: \S+(?: launch)? --resume {this.run}\n",
                         finished.output)
        if not told:
            raise AssertionError(f"{name}, {way}: nothing says how to go on:\n{finished.output}")
        generation = int(told[1])
        if generation < done:
            raise AssertionError(f"{name}, {way}: {done} generations were done, {generation} are saved")
        this.resume()
        return this.fingerprint(), (f"{name}, {way} after {done} generations: code {finished.exit_code} after "
                                    f"{took_s:.1f} s, saved {generation}")


if __name__ == "__main__":
    disturb_again_and_again(EXPERIMENT, functools.partial(stop, ways_to_ask()))
