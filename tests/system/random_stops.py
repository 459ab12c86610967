"""Asks runs to stop at random moments, by every signal and under every launcher, as often as the argument says.

Each must end at once with code 75 (mpirun: with one of its own), say what to type, and come from there to the end of an
undisturbed run, having repeated a generation at most.
"""

import re
import signal
import time

from launch import BINARY, in_process, on_ranks
from random_runs import Round, disturb_again_and_again

RESUMABLE = 75
EXPERIMENT = ["--grid", "2x2", "--generations", 12, "--set", "data.max_samples=4000",
              "--set", "score.n_samples=200", "--set", "score.n_samples_training=100"]
N_CELLS = 4
LAUNCHERS = {"alone": (in_process, (RESUMABLE,)),
             "mpirun": (lambda *arguments: on_ranks(5, *arguments), (RESUMABLE, 1, 129, 130, 143)),
             "launch": (lambda *arguments: [BINARY, "launch", "--workers", 4, *arguments], (RESUMABLE,))}
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1]


def stop(choose, duration_s):
    name, number = choose.choice(list(LAUNCHERS)), choose.choice(SIGNALS)
    make, exit_codes = LAUNCHERS[name]
    with Round() as this, this.start(make(*EXPERIMENT)) as running:
        this.wait(choose.uniform(0, duration_s))
        if this.is_finished():
            this.finish(running)
            return None
        done = len(this.metrics()) // N_CELLS
        begin = time.monotonic()
        running.signal_launcher(number)
        finished = this.finish(running, (0, *exit_codes))
        took_s = time.monotonic() - begin
        if finished.exit_code == 0:  # it was at its very end
            return None
        told = re.search(rf"stopped at the end of generation (\d+) of .*; to go on: \S+(?: launch)? --resume {this.run}\n",
                         finished.output)
        if not told:
            raise AssertionError(f"{name}, {number.name}: nothing says how to go on:\n{finished.output}")
        generation = int(told[1])
        if generation < done:
            raise AssertionError(f"{name}, {number.name}: {done} generations were done, {generation} are saved")
        this.resume()
        return this.fingerprint(), (f"{name}, {number.name} after {done} generations: code {finished.exit_code} after "
                                    f"{took_s:.1f} s, saved {generation}")


if __name__ == "__main__":
    disturb_again_and_again(EXPERIMENT, stop)
