"""Kills, or stops for ever, whatever takes part in a run, at random moments, as often as the argument says.

Four workers and a spare train a 2x2 grid under `lipizz launch`; a worker, two at once, two buddies, the spare, the
master or mpirun is lost, or a worker stands still for ever or for a while. Every run must end with the fingerprint of an
undisturbed one and leave nothing behind.
"""

import re
import signal
import time

from launch import BINARY
from random_runs import Round, disturb_again_and_again

N_WORKERS = 4
SPARE = N_WORKERS + 1
EXPERIMENT = ["--grid", "2x2", "--generations", 12, "--set", "data.max_samples=4000",
              "--set", "score.n_samples=200", "--set", "score.n_samples_training=100",
              "--set", "comm.heartbeat_s=0.5", "--set", "comm.late_after_s=4", "--set", "comm.dead_after_s=8"]
STOP_FOR_S = 12  # longer than a worker may be silent


def two(choose):
    return choose.sample(range(1, SPARE), 2)


def buddies(choose):
    first = choose.randrange(1, N_WORKERS)
    return [first, first + 1]


# The ranks that are lost, and by what.
KINDS = {"a worker": (lambda choose: [choose.randrange(1, SPARE)], signal.SIGKILL),
         "two workers": (two, signal.SIGKILL),
         "buddies": (buddies, signal.SIGKILL),
         "the spare": (lambda choose: [SPARE], signal.SIGKILL),
         "the master": (lambda choose: [0], signal.SIGKILL),
         "mpirun": (lambda choose: [], signal.SIGKILL),
         "a worker, stopped for ever": (lambda choose: [choose.randrange(1, SPARE)], signal.SIGSTOP),
         "a worker, stopped for a while": (lambda choose: [choose.randrange(1, SPARE)], signal.SIGSTOP)}


def disturb(running, kind, ranks, number):
    pids = [running.process_of_rank(rank) for rank in ranks]
    for rank in ranks:
        running.signal_rank(rank, number)
    if not ranks:
        running.signal_program("mpirun", number)
    if kind.endswith("for a while"):
        time.sleep(STOP_FOR_S)
        running.signal_those_left(pids, signal.SIGCONT)


def kill(choose, duration_s):
    kind = choose.choice(list(KINDS))
    victims, number = KINDS[kind]
    ranks = victims(choose)
    command = [BINARY, "launch", "--workers", N_WORKERS, "--spares", 1, *EXPERIMENT]
    with Round() as this, this.start(command) as running:
        this.wait(choose.uniform(0, duration_s))
        if this.is_finished():
            this.finish(running)
            return None
        done = len(this.metrics()) // 4
        begin = time.monotonic()
        disturb(running, kind, ranks, number)
        finished = this.finish(running)
        took_s = time.monotonic() - begin
        log = this.text("run.log")
        lost = re.findall(r"(rank \d+) on \S+ \(.*\) is given up after ([0-9.]+) s", log)
        restarts = re.findall(r"restart \d of \d", finished.output)
        return this.fingerprint(), (f"{kind} {ranks} after {done} generations: given up {lost}, restarted "
                                    f"{len(restarts)} times, {took_s:.1f} s to the end")


if __name__ == "__main__":
    disturb_again_and_again(EXPERIMENT, kill)
