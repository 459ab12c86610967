"""Runs the real program, alone or under mpirun, in a folder of its own.

The environment names the program (LIPIZZ_BINARY), the launcher (LIPIZZ_MPIRUN) and, for tests that
compare with undisturbed runs, the folder that keeps these (LIPIZZ_TEST_UNDISTURBED). Whatever a run
leaves behind (processes, files in /dev/shm) fails the test that started it.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import uuid

BINARY = os.environ["LIPIZZ_BINARY"]
MPIRUN = os.environ["LIPIZZ_MPIRUN"]
DEADLINE_S = float(os.environ.get("LIPIZZ_TEST_DEADLINE_S", "240"))  # a safety net, never a measure
LAST_BREATH_S = 30

CONFIGS = pathlib.Path(__file__).parents[2] / "configs"

# Small enough for any machine, large enough that every part of a run has work.
SIZES = ["--set", "fitness.n_samples=60", "--set", "score.n_samples=100", "--set", "score.n_samples_training=50"]
SMALL = [*SIZES, "--set", "data.max_samples=300"]

# Points, which take no time to draw and to judge; a generation of four cells is a fraction of a second of two cores, in
# the midst of which a run can be ended.
POINTS = [*SIZES, "--set", "data.dataset=ring8", "--set", "data.max_samples=2000"]

# Pairs that start as the mean of their neighbourhood, with its moments and moving averages.
MEANS = [*POINTS, "--set", "recombination=average", "--set", "generator.average_decay=0.99"]

FEW = ["--set", "data.max_samples=40", "--set", "data.batch_size=20", "--set", "fitness.n_samples=20",
       "--set", "score.n_samples=50", "--set", "score.n_samples_training=50"]

# Images with convolutions, and with running statistics beside the weights.
CONVOLUTIONS = [*FEW, "--config", str(CONFIGS / "glyphs-convolutions.json")]


def losses(name):
    return [word for who in ("generator", "discriminator", "fitness") for word in ("--set", f"{who}.loss={name}")]


# Networks that are told classes, with spectral norm, attention and a moving average.
CLASSES = [*FEW, *losses("hinge"), "--set", "class_conditional=true", "--set", "generator.average_decay=0.99",
           "--set", "model=" + json.dumps({
               "generator": {"inputs": [16], "initialiser": "orthogonal", "layers": [
                   {"kind": "linear", "outputs": 784},
                   {"kind": "reshape", "shape": [14, 14, 4]},
                   {"kind": "batch-norm", "bias": False},
                   {"kind": "embedding", "outputs": 4},
                   {"kind": "embedding", "outputs": 4},
                   {"kind": "modulate", "from": [3, 4, 5], "activation": "relu"},
                   {"kind": "convolution", "outputs": 8, "kernel": 3, "padding": 1, "spectral_norm": True},
                   {"kind": "self-attention", "spectral_norm": True},
                   {"kind": "upsample", "kernel": 2},
                   {"kind": "convolution", "outputs": 1, "kernel": 3, "padding": 1, "activation": "tanh"}]},
               "discriminator": {"inputs": [28, 28, 1], "layers": [
                   {"kind": "convolution", "outputs": 8, "kernel": 4, "stride": 2, "padding": 1,
                    "activation": "leaky-relu", "spectral_norm": True},
                   {"kind": "self-attention", "spectral_norm": True},
                   {"kind": "sum-pool", "kernel": 14},
                   {"kind": "linear", "outputs": 1, "spectral_norm": True},
                   {"kind": "embedding", "outputs": 8, "spectral_norm": True},
                   {"kind": "dot", "from": [3, 5]},
                   {"kind": "add", "from": [4, 6]}]}})]

# Derivatives of derivatives, of images that are changed at random.
PENALTY = [*CONVOLUTIONS, *losses("wasserstein"), "--set", "discriminator.penalty=wgan-gp",
           "--set", 'augmentation=["color", "translation", "cutout"]']

# Images translated into others, with dropout and L1.
PAIRS = [*FEW, *losses("pix2pix"), "--dataset", "glyph-edges"]

# A few steps of the largest models, whose copies take a busy machine seconds to bring and to fetch. Two pairs of
# 57 million parameters fill a machine.
FEWER = [*FEW, "--set", "mixture=equal", "--set", "samples.rows=1", "--set", "comm.late_after_s=20",
         "--set", "comm.dead_after_s=40"]
CIFAR10 = ["--grid", "2x2", *FEWER, *losses("hinge"), "--dataset", "cifar10", "--set", "class_conditional=true",
           "--set", "data.max_samples=20", "--set", "data.batch_size=10", "--set", "generator.average_decay=0.99"]
LARGE = {
    "sngan32": [*CIFAR10, "--set", "model=sngan32"],
    "biggan32": [*CIFAR10, "--set", "model=biggan32"],
    "pix2pix": ["--grid", "1x2", *FEWER, *losses("pix2pix"), "--dataset", "facades", "--set", "model=pix2pix",
                *(word for key in ("data.max_samples", "fitness.n_samples", "score.n_samples", "score.n_samples_training")
                  for word in ("--set", f"{key}=2")), "--set", "data.batch_size=1"]}

CRASH = re.compile(r"terminate called|what\(\):|Segmentation fault|stack trace|Assertion .* failed|"
                   r"Signal: |Traceback|AddressSanitizer|ThreadSanitizer|runtime error:|lipizz::")


@dataclasses.dataclass
class Finished:
    command: list
    exit_code: int
    output: str  # stdout and stderr as they came


def in_process(*arguments):
    return [BINARY, *map(str, arguments)]


@functools.cache
def hash_of_program():
    return hashlib.sha256(pathlib.Path(BINARY).read_bytes()).hexdigest()


def on_ranks(n_ranks, *arguments, launcher=()):
    return [MPIRUN, "--oversubscribe", *launcher, "-np", str(n_ranks), BINARY, *map(str, arguments)]


class Running:
    """A started program; use as a context, which ends whatever is left of it."""

    def __init__(self, command, folder, before=None):
        self.command = command
        self._mark = uuid.uuid4().hex
        self._output = open(folder / f"output-{self._mark}", "w+", encoding="utf-8", errors="replace")
        environment = {**os.environ, "LIPIZZ_TEST_MARK": self._mark, "TMPDIR": str(folder),
                       "OMPI_MCA_btl_vader_backing_directory": str(folder)}
        self._process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                         stdout=self._output, stderr=subprocess.STDOUT, preexec_fn=before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in [self._process.pid, *self.processes()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._output.close()

    def processes(self):
        """Ids of every living process of this run, the launcher's included."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"LIPIZZ_TEST_MARK={self._mark}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def process_of_rank(self, rank):
        wanted = f"\0OMPI_COMM_WORLD_RANK={rank}\0".encode()
        for pid in self.processes():
            with contextlib.suppress(OSError):  # another one may die in between
                if wanted in pathlib.Path(f"/proc/{pid}/environ").read_bytes():
                    return pid
        raise AssertionError(f"no process of rank {rank}: {self.output()}")

    def signal_rank(self, rank, number):
        os.kill(self.process_of_rank(rank), number)

    def signal_those_left(self, pids, number):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    @contextlib.contextmanager
    def slowed(self, rank, runs_s=0.005, stands_s=0.045):
        """Lets a rank run for a part of the time only, a tenth unless told."""
        pid = self.process_of_rank(rank)
        is_over = threading.Event()

        def slow():
            with contextlib.suppress(ProcessLookupError):
                while not is_over.is_set():
                    os.kill(pid, signal.SIGSTOP)
                    is_over.wait(stands_s)
                    os.kill(pid, signal.SIGCONT)
                    is_over.wait(runs_s)

        thread = threading.Thread(target=slow)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def signal_program(self, name, number):
        for pid in self.processes():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name:
                    return os.kill(pid, number)
        raise AssertionError(f"no process called {name}: {self.output()}")

    def output(self):
        return pathlib.Path(self._output.name).read_text(encoding="utf-8", errors="replace")

    def has_ended(self):
        return self._process.poll() is not None

    def wait_until(self, condition, what):
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            if self._process.poll() is not None:
                raise AssertionError(f"{self.command} ended before {what}:\n{self.output()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.command}: not {what} after {DEADLINE_S} s:\n{self.output()}")
            time.sleep(0.02)

    def signal_launcher(self, number):
        self._process.send_signal(number)

    def wait(self, deadline_s=DEADLINE_S):
        """Until it has ended by itself; nothing of it may be left then."""
        try:
            exit_code = self._process.wait(deadline_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.command} hangs after {deadline_s} s:\n{self.output()}") from None
        # A process that the launcher has just killed still gives its memory back.
        last_look = time.monotonic() + LAST_BREATH_S
        while left := self.processes():
            if time.monotonic() > last_look:
                raise AssertionError(f"{self.command} left processes {left}:\n{self.output()}")
            time.sleep(0.02)
        return Finished(self.command, exit_code, self.output())


def shared_memory_files():
    """Names in /dev/shm, without those that Open MPI makes for other jobs meanwhile: segments of its
    transport, and `open_mpi.0000` for a moment as it begins, to see whether it may."""
    return {name for name in os.listdir("/dev/shm") if "vader" not in name and not name.startswith("open_mpi.")}


class SystemTest(unittest.TestCase):
    """Each test gets an empty folder, self.folder, which is removed afterwards."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-"))
        self.addCleanup(shutil.rmtree, self.folder)
        before = shared_memory_files()
        self.addCleanup(lambda: self.assertLessEqual(shared_memory_files(), before))

    def need_data(self, dataset):
        data_dir = os.environ.get("LIPIZZ_DATA_DIR", "")
        if not (data_dir and (pathlib.Path(data_dir) / dataset).is_dir()):
            self.skipTest(f"LIPIZZ_DATA_DIR names no folder with {dataset}/")

    def start(self, command, before=None):
        """`before` is called in the new process, just before the program."""
        return self.enterContext(Running(command, self.folder, before))

    def run_to_end(self, command):
        with Running(command, self.folder) as running:
            return running.wait()

    def result_of(self, command):
        """Runs a training command that must succeed, and reads its result.json."""
        output = self.folder / f"run-{uuid.uuid4().hex[:8]}"
        finished = self.run_to_end([*command, "--quiet", "--output", str(output)])
        self.assertEqual(finished.exit_code, 0, f"{finished.command}:\n{finished.output}")
        result = json.loads((output / "result.json").read_text(encoding="utf-8"))
        shutil.rmtree(output)
        return result

    def undisturbed(self, *arguments):
        """The folder with result.json and metrics.jsonl of a run in one process, the same for all tests of this
        program: it is computed by the first that asks."""
        arguments = [str(argument) for argument in arguments]
        key = hashlib.sha256(json.dumps([hash_of_program(), *arguments]).encode()).hexdigest()[:16]
        kept = pathlib.Path(os.environ["LIPIZZ_TEST_UNDISTURBED"]) / key
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
                run = pathlib.Path(folder) / "run"
                finished = self.run_to_end(in_process(*arguments, "--quiet", "--output", run))
                self.assertEqual(finished.exit_code, 0, f"{finished.command}:\n{finished.output}")
                for name in ("checkpoints", "samples"):
                    shutil.rmtree(run / name, ignore_errors=True)
                with contextlib.suppress(OSError):  # another test was quicker
                    run.rename(kept)
        return kept

    def assert_one_message(self, finished, pattern):
        """One line tells the trouble and matches the pattern; there is no sign of a crash."""
        self.assertIsNone(CRASH.search(finished.output), finished.output)
        messages = [line for line in finished.output.splitlines()
                    if line.startswith("lipizz: ") and not line.startswith("lipizz: warning: ")]
        self.assertEqual(len(messages), 1, f"messages of {finished.command}:\n{finished.output}")
        self.assertRegex(messages[0], pattern)
