"""A worker that dies or falls silent is named, and a death ends the run on every rank. Where
we name it, the name is looked for in our own lines: mpirun says `rank 3` too."""

import json
import os
import pathlib
import re
import signal
import unittest

from launch import POINTS, SystemTest, on_ranks

VICTIM = 3
# Far above what a loaded machine delays a heartbeat by, far below the deadline of a test.
FAST_HEARTBEAT = ["--set", "comm.heartbeat_s=0.5", "--set", "comm.late_after_s=2", "--set", "comm.dead_after_s=8"]
ENDLESS = ["--grid", "2x2", "--generations", "100000", *POINTS, *FAST_HEARTBEAT]
SECONDS = 60  # to end after a death, on however loaded a machine


def listening_sockets(pid):
    """How many sockets of a process wait for anybody who connects over a network."""
    listening = set()
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                listening.add(f"socket:[{fields[9]}]")

    def is_listening(file):
        try:
            return os.readlink(file) in listening
        except FileNotFoundError:  # closed since it was listed
            return False

    return sum(map(is_listening, pathlib.Path(f"/proc/{pid}/fd").iterdir()))


class Fault(SystemTest):
    def start_training(self, n_ranks=5, *settings, launcher=()):
        """Runs a grid whose every cell has finished a generation."""
        output = self.folder / "run"
        running = self.start(on_ranks(n_ranks, *ENDLESS, *settings, "--output", output, launcher=launcher))
        metrics = output / "metrics.jsonl"

        def all_cells_train():
            lines = metrics.read_text().splitlines()[:64] if metrics.exists() else []
            return len({json.dumps(json.loads(line)["cell"]) for line in lines if line.endswith("}")}) == 4

        running.wait_until(all_cells_train, "training in every cell")
        return running, output

    def test_ops1_a_killed_worker_ends_the_run(self):
        self.kill_one(VICTIM)

    def test_ops1_a_killed_helper_ends_the_run(self):
        # Its worker waits for what it computes.
        self.kill_one(4, "--set", "data.micro_batches=2", "--set", "ranks_per_cell=2")

    def test_ops1_a_helper_that_stands_still_is_named_with_the_collective(self):
        running, output = self.start_training(5, "--set", "data.micro_batches=2", "--set", "ranks_per_cell=2")
        running.signal_rank(4, signal.SIGSTOP)
        finished = running.wait(SECONDS)
        self.assertNotEqual(finished.exit_code, 0, finished.output)
        self.assertRegex(finished.output, r"lipizz: rank 4 on \S+ \(helps rank 3\) is given up after \S+ s of silence, in "
                                          r"which rank 3 \(last in generation \d+\) waited for it in an? [a-z-]+, and the run ends")
        self.assertFalse((output / "result.json").exists())

    def kill_one(self, victim, *settings):
        # mpirun is the first to notice, names the rank and ends all others before the master may
        # give it up. What is ours is that all end, none of them as if the run had finished.
        running, output = self.start_training(5, *settings)
        running.signal_rank(victim, signal.SIGKILL)
        finished = running.wait(SECONDS)
        self.assertNotEqual(finished.exit_code, 0, finished.output)
        self.assertRegex(finished.output, rf"rank {victim} with PID \d+ on node \S+ exited on signal 9")
        self.assertFalse((output / "result.json").exists())
        self.assertNotIn("finished", (output / "run.log").read_text())

    def test_a_killed_worker_ends_the_run_where_it_was_the_last(self):
        # What mpirun returns then is its own affair: with recovery on, Open MPI 4.1 says 0
        # whatever code its processes end with.
        running, output = self.start_training(2, launcher=["--enable-recovery"])
        running.signal_rank(1, signal.SIGKILL)
        finished = running.wait(SECONDS)
        self.assertRegex(finished.output, "lipizz: rank 1 on .* is given up .* and the run ends")
        self.assertRegex((output / "run.log").read_text(), "error rank 0: rank 1 on .* is given up")

    def test_ranks_of_one_node_listen_on_no_address(self):
        running, _ = self.start_training(3)
        for rank in range(3):
            self.assertEqual(listening_sockets(running.process_of_rank(rank)), 0, f"rank {rank}")

    def test_a_stopped_worker_is_reported_late(self):
        running, output = self.start_training()
        running.signal_rank(VICTIM, signal.SIGSTOP)
        log = output / "run.log"
        # On a busy machine others may be late as well.
        late = re.compile(rf"warning rank 0: rank {VICTIM} on .* is late: silent for")
        running.wait_until(lambda: late.search(log.read_text()), "a word about the late worker")
        running.signal_rank(VICTIM, signal.SIGCONT)
        running.signal_launcher(signal.SIGTERM)
        running.wait(SECONDS)


if __name__ == "__main__":
    unittest.main()
