"""Kills, stops for ever or cuts off whatever takes part in a run, at random moments, as often as the argument says.

Four workers and a spare train a 2x2 grid under `lipizz launch`; a worker, two at once, two buddies, the spare, the
master or mpirun is lost, a worker stands still for ever or for a while, or, where there can be hosts of namespaces, one
of three is killed or cut off, for ever or for a while. Every run must end with the fingerprint of an undisturbed one and
leave nothing behind. A table tells what was seen of each kind. A second argument names what is trained, "images" or
"points", whose generations are short.
"""

import contextlib
import dataclasses
import re
import signal
import statistics
import sys
import time

from hosts import NAMES, Hosts, why_not
from launch import BINARY, POINTS
from random_runs import Round, disturb_again_and_again

N_WORKERS, N_CELLS = 4, 4
SPARE = N_WORKERS + 1
EXPERIMENTS = {"images": ["--generations", 12, "--set", "data.max_samples=4000", "--set", "score.n_samples=200",
                          "--set", "score.n_samples_training=100"],
               "points": ["--generations", 30, *POINTS]}
EXPERIMENT = ["--grid", "2x2", *EXPERIMENTS[sys.argv[2] if len(sys.argv) > 2 else "images"],
              "--set", "comm.heartbeat_s=0.5", "--set", "comm.late_after_s=4", "--set", "comm.dead_after_s=8"]
STOP_FOR_S = 12  # longer than a worker may be silent
GENERATION = re.compile(r"generation (\d+) of \d+: best cell")
GOES_BACK = re.compile(r"all cells go on from generation (\d+)|all cells begin again|resumed at the end of generation (\d+) of|"
                       r"it starts from its seed again")
GIVEN_UP = re.compile(r"(rank \d+) on \S+ \(.*\) is given up after ([0-9.]+) s")


@dataclasses.dataclass
class Kind:
    """`choose(choose)` says which ranks, or which host; `disturb(running, hosts, them)` does it to them."""
    choose: object
    disturb: object
    needs_hosts: bool = False


@dataclasses.dataclass
class Seen:
    kind: str
    silent_s: float | None  # the longest silence of those that were given up
    repeated: int  # generations that were done, and done again
    restarts: int
    took_s: float


def a_worker(choose):
    return [choose.randrange(1, SPARE)]


def two(choose):
    return choose.sample(range(1, SPARE), 2)


def buddies(choose):
    first = choose.randrange(1, N_WORKERS)
    return [first, first + 1]


def kill_ranks(running, _, ranks):
    for rank in ranks:
        running.signal_rank(rank, signal.SIGKILL)


def kill_mpirun(running, *_):
    running.signal_program("mpirun", signal.SIGKILL)


def stop(running, _, ranks):
    running.signal_rank(ranks[0], signal.SIGSTOP)


def stop_for_a_while(running, _, ranks):
    pids = [running.process_of_rank(ranks[0])]
    stop(running, None, ranks)
    time.sleep(STOP_FOR_S)
    running.signal_those_left(pids, signal.SIGCONT)


def a_host(choose):
    return choose.choice(NAMES)


def another_host(choose):
    """One without `lipizz launch`, which would be gone with it."""
    return choose.choice(NAMES[1:])


def kill_host(_, hosts, name):
    hosts[name].kill()


def cut(_, hosts, name):
    hosts.cut_for_ever(name)


def cut_for(seconds):
    def cut_and_connect(_, hosts, name):
        hosts[name].cut()
        time.sleep(seconds)
        hosts[name].connect()

    return cut_and_connect


KINDS = {"a worker": Kind(a_worker, kill_ranks),
         "two workers": Kind(two, kill_ranks),
         "buddies": Kind(buddies, kill_ranks),
         "the spare": Kind(lambda _: [SPARE], kill_ranks),
         "the master": Kind(lambda _: [0], kill_ranks),
         "mpirun": Kind(lambda _: "", kill_mpirun),
         "a worker, stopped for ever": Kind(a_worker, stop),
         "a worker, stopped for a while": Kind(a_worker, stop_for_a_while),
         "a host": Kind(another_host, kill_host, needs_hosts=True),
         "a link, cut for 5 s": Kind(a_host, cut_for(5), needs_hosts=True),
         "a link, cut for 12 s": Kind(a_host, cut_for(STOP_FOR_S), needs_hosts=True),
         "a link, cut for ever": Kind(a_host, cut, needs_hosts=True)}
seen = []


def repeated(log):
    """Generations that all cells had done and did again."""
    done, again = 0, 0
    for line in log.splitlines():
        if generation := GENERATION.search(line):
            done = int(generation[1])
        elif back := GOES_BACK.search(line):
            goes_on_from = int(back[1] or back[2] or 0)
            again += max(0, done - goes_on_from)
            done = goes_on_from
    return again


def kill(choose, duration_s):
    kind = choose.choice([kind for kind, fault in KINDS.items() if not (fault.needs_hosts and why_not())])
    fault = KINDS[kind]
    them = fault.choose(choose)
    command = [BINARY, "launch", "--workers", N_WORKERS, "--spares", 1, *EXPERIMENT]
    with contextlib.ExitStack() as exits:
        this = exits.enter_context(Round())
        hosts = exits.enter_context(Hosts(this.folder)) if fault.needs_hosts else None
        running = exits.enter_context(this.start(hosts.command(*command), ["--", "--host", hosts.places(2)]) if hosts else
                                      this.start(command))
        this.wait(choose.uniform(0, duration_s))
        if this.is_finished():
            this.finish(running)
            return None
        done = len(this.metrics()) // N_CELLS
        begin = time.monotonic()
        fault.disturb(running, hosts, them)
        finished = this.finish(running)
        took_s = time.monotonic() - begin
        if hosts and (left := hosts.left()):
            raise AssertionError(f"{kind} {them}: left behind: {left}\n{finished.output}")
        log = this.text("run.log")
        lost = GIVEN_UP.findall(log)
        restarts = len(re.findall(r"restart \d of \d", finished.output))
        silent_s = max((float(silence) for _, silence in lost), default=None)
        seen.append(Seen(kind, silent_s, repeated(log), restarts, took_s))
        return this.fingerprint(), (f"{kind} {them} after {done} generations: given up {lost}, restarted {restarts} times, "
                                    f"{seen[-1].repeated} generations repeated, {took_s:.1f} s to the end")


def summary():
    """A line for each kind; of several figures the least, the median and the most."""
    yield "| kind | times | given up after, s | restarts | generations repeated | to the end, s |"
    yield "|---|---|---|---|---|---|"
    for kind in KINDS:
        of_kind = [each for each in seen if each.kind == kind]
        columns = [[each.silent_s for each in of_kind if each.silent_s is not None],
                   *([getattr(each, name) for each in of_kind] for name in ("restarts", "repeated", "took_s"))]
        yield f"| {kind} | {len(of_kind)} | " + " | ".join(
            " / ".join(f"{round(of(column), 1):g}" for of in (min, statistics.median, max)) if column else "-"
            for column in columns) + " |"


if __name__ == "__main__":
    if reason := why_not():
        print(f"no host is killed or cut off: {reason}")
    try:
        disturb_again_and_again(EXPERIMENT, kill)
    finally:
        print("\n".join(summary()))
