#!/usr/bin/env python3
"""bench_cells beside PyTorch and JAX on the same device: one table for each problem.

    bench/cells_peers.py build/release/bin/bench_cells [--device cuda] [--rounds 5]
    bench/cells_peers.py --check [--device cpu] [--cells 3] [--batch 20] [--precision f32]

Every form of the peers runs in a process of its own (cells_torch.py, cells_jax.py and
dcgan_torch.py say what the forms are). Rounds alternate between bench_cells and all forms; medians
are printed, and of the ratios the median over rounds. What is not installed or fails gets one line.
--check proves instead that all forms of the MLP pair compute the same thing: losses and parameters
after a few rounds in double, losses of the first round in --precision.
"""
import argparse
import importlib.util
import os
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FRAMEWORKS = {"cells_torch": ("torch", "PyTorch"), "dcgan_torch": ("torch", "PyTorch"),
              "cells_jax": ("jax", "JAX")}
MLP_FORMS = {
    "PyTorch, cell after cell": ("cells_torch", "eager"),
    "PyTorch, a CUDA graph a cell": ("cells_torch", "graphs"),
    "PyTorch, batched": ("cells_torch", "batched"),
    "JAX, vmap": ("cells_jax", "vmap"),
    "JAX, vmap, ten rounds a call": ("cells_jax", "scanned"),
    "PyTorch, batched, compiled": ("cells_torch", "compiled"),  # the last: it takes minutes
}
# What is to be reached on a GPU: the best of these forms takes at least so many times our time.
MLP_TARGETS = [(40, ["PyTorch, cell after cell"]), (8, ["PyTorch, a CUDA graph a cell"]),
               (1.5, list(MLP_FORMS)[2:])]
DCGAN_TARGET = 1.2
TOLERANCES = {"f32": 1e-6, "tf32": 2e-4, "bf16": 2e-3}  # of a loss


class Failed(Exception):
    pass


class Ours:
    """bench_cells, started anew for each figure."""

    def __init__(self, options, model, batch, cells, precision):
        self.command = [options.bench_cells, options.device, model, str(batch), str(cells),
                        precision]
        self.environment = dict(os.environ)
        if options.library_path:
            self.environment["LD_LIBRARY_PATH"] = options.library_path
        self.precision = precision

    def measure(self):
        try:
            ended = subprocess.run(self.command, capture_output=True, text=True,
                                   env=self.environment)
        except OSError as error:
            raise Failed(error) from None
        if ended.returncode:
            raise Failed((ended.stderr.strip() or f"exit code {ended.returncode}").splitlines()[-1])
        self.floors = re.search(r"floors:.*?launches", ended.stdout)[0]
        numbers = re.findall(r"([0-9.]+) ms by", self.floors)
        self.floor_ms = max(map(float, numbers))
        return float(re.search(r": ([0-9.]+) ms a round", ended.stdout)[1])

    def close(self):
        pass


class Peer:
    """One form in a process of its own, which answers when it is asked for a figure."""

    def __init__(self, options, script, form, arguments):
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [sys.executable, HERE / f"{script}.py", form, "--serve", "--device", options.device,
             *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.answers = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.options = options
        try:
            self.note = self.answer()
        except Failed:
            self.close()
            raise

    def listen(self):
        for line in self.process.stdout:
            if line.startswith("peer:"):
                self.answers.put(line.removeprefix("peer:").strip())
        self.answers.put(None)

    def answer(self):
        left_s = max(20, self.options.end_s - time.monotonic())
        patience_s = min(self.options.patience, left_s)
        try:
            answer = self.answers.get(timeout=patience_s)
        except queue.Empty:
            raise Failed(f"no answer in {patience_s:.0f} s") from None
        if answer is None:
            self.process.wait()
            self.errors.seek(0)
            lines = [line for line in self.errors.read().splitlines() if line.strip()]
            raise Failed(f"failed: {lines[-1] if lines else self.process.returncode}")
        return answer

    def measure(self):
        try:
            print(file=self.process.stdin, flush=True)
        except OSError:
            pass  # it has ended, and the answer says why
        return float(self.answer())

    def close(self):
        try:
            self.process.communicate(timeout=10)  # without input it ends
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self.process.kill()
            self.process.wait()
        self.errors.close()


def installed(scripts):
    """Those whose framework is there, and one line for each that is not."""
    for module, name in sorted({FRAMEWORKS[script] for script in scripts}):
        if not importlib.util.find_spec(module):
            print(f"  {name} is not installed: skipped")
    return [script for script in scripts if importlib.util.find_spec(FRAMEWORKS[script][0])]


def start_all(peers, options):
    """One after another, since some measure while they compile."""
    scripts = installed([script for script, _, _, _ in peers.values()])
    for name, (script, form, arguments, _) in peers.items():
        if script not in scripts:
            continue
        if time.monotonic() > options.end_s:
            print(f"  {name}: not begun, since time is up", flush=True)
            continue
        try:
            peer = Peer(options, script, form, arguments)
        except Failed as reason:
            print(f"  {name}: {reason}", flush=True)
            continue
        if peer.note:
            print(f"  {name}: {peer.note}")
        yield name, peer


def alternate(runners, options):
    """Milliseconds of each runner, one figure a round. Who fails leaves, with one line."""
    times = {name: [] for name in runners}
    for i in range(options.rounds):
        if i > 0 and time.monotonic() > options.end_s:
            print(f"  {i} of {options.rounds} rounds, since time is up")
            break
        for name in list(runners):
            try:
                times[name].append(runners[name].measure())
            except Failed as reason:
                print(f"  {name}: {reason}")
                runners.pop(name).close()
                del times[name]
    return times


def ratio_of(times, name, ours):
    return statistics.median(a / b for a, b in zip(times[name], times[ours]))


def print_table(times, ours_of, floors):
    """Of each form a round, beside what is ours in its precision, and beside that one's floor."""
    print(f"  {'form':34} {'ms a round':>10} {'times ours':>10} {'times floor':>11}")
    for name, values in times.items():
        ours = ours_of[name]
        ratio = f"{ratio_of(times, name, ours):10.2f}" if ours in times else f"{'-':>10}"
        median = statistics.median(values)
        share = f"{median / floors[ours]:11.2f}" if floors.get(ours) else f"{'-':>11}"
        print(f"  {name:34} {median:10.3f} {ratio} {share}")


def print_target(times, target, names, ours, on_gpu):
    names = [name for name in names if name in times]
    if not names or ours not in times:
        print(f"  target {target}: nothing to compare")
        return
    best = min(names, key=lambda name: statistics.median(times[name]))
    ratio = ratio_of(times, best, ours)
    verdict = ("met" if ratio >= target else "MISSED") if on_gpu else "which is meant for a GPU"
    print(f"  {best}: {ratio:.2f} times {ours}; the target is {target}, {verdict}")


def compare(title, options, ours, peers, targets):
    """ours: runners by name. peers: script, form, arguments and the name of ours, by name."""
    print(title, flush=True)
    runners = dict(ours)
    try:
        runners.update(start_all(peers, options))
        times = alternate(runners, options)
    finally:
        for runner in runners.values():
            runner.close()
    floors = {}
    for name, runner in ours.items():
        if name in times:
            print(f"  {runner.floors} in {runner.precision}")
            floors[name] = runner.floor_ms
    ours_of = {name: name for name in ours} | {name: peer[3] for name, peer in peers.items()}
    print_table(times, ours_of, floors)
    for target, names, of in targets:
        print_target(times, target, names, of, options.device == "cuda")
    print(flush=True)


def compare_mlp(options):
    arguments = ["--cells", options.cells, "--batch", options.batch,
                 "--precision", options.precision]
    ours = {"lipizz": Ours(options, "mlp", options.batch, options.cells, options.precision)}
    peers = {name: (*script_and_form, arguments, "lipizz")
             for name, script_and_form in MLP_FORMS.items()}
    compare(f"mlp, {options.cells} cells, batch {options.batch}, {options.precision}, "
            f"on {options.device}", options, ours, peers,
            [(target, names, "lipizz") for target, names in MLP_TARGETS])


def compare_dcgan(options):
    batch = options.dcgan_batch
    precisions = ("f32", "tf32", "bf16") if options.device == "cuda" else ("f32",)
    best = precisions[-1]
    forms = [("eager", precision) for precision in precisions]
    forms += [("graphs", best), ("compiled", best)]
    ours = {f"lipizz, {precision}": Ours(options, "dcgan64", batch, 1, precision)
            for precision in precisions}
    peers = {f"PyTorch, {form}, {precision}": ("dcgan_torch", form,
                                               ["--batch", batch, "--precision", precision],
                                               f"lipizz, {precision}")
             for form, precision in forms}
    compare(f"dcgan64, batch {batch}, on {options.device}", options, ours, peers,
            [(DCGAN_TARGET, list(peers), f"lipizz, {best}")])


def trained(module, form, options, rounds):
    """First round's losses, and the last one's with all parameters."""
    import cells_common as common

    one = module.make(form, options)
    first = None
    for seed in range(rounds):
        one.give(common.given_noise(options.cells, options.batch, seed))
        one.run(1)
        first = first or one.state()[0]
    return first, *one.state()


def furthest(ones, others):
    return max(abs(a - b).max() for a, b in zip(ones, others))


def check(options, rounds=4):
    sys.path.insert(0, str(HERE))
    os.environ["JAX_ENABLE_X64"] = "1"
    double = argparse.Namespace(**{**vars(options), "dtype": "float64", "precision": "f32"})
    reference, bad = None, 0
    for module in map(importlib.import_module, installed(["cells_torch", "cells_jax"])):
        # With noise that is given, JAX's two forms are one.
        for form in module.FORMS if module.__name__ == "cells_torch" else ["vmap"]:
            try:
                result = trained(module, form, double, rounds)
                lower_result = trained(module, form, options, 1)
            except Exception as error:  # whatever a framework may throw; the others are still run
                print(f"{module.__name__} {form:9} failed: "
                      f"{(str(error).strip() or repr(error)).splitlines()[0]}", flush=True)
                bad += 1
                continue
            reference = reference or result
            loss, parameters = (furthest(a, b) for a, b in zip(result[1:], reference[1:]))
            lower = furthest(lower_result[0], reference[0])
            good = loss < 1e-10 and parameters < 1e-9 and lower < TOLERANCES[options.precision]
            bad += not good
            print(f"{module.__name__} {form:9} after {rounds} rounds in double: losses differ by "
                  f"{loss:.0e}, parameters by {parameters:.0e}; first loss in {options.precision} "
                  f"by {lower:.0e}: {'the same' if good else 'NOT THE SAME'}", flush=True)
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench_cells", nargs="?")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cells", type=int, default=16)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--precision", choices=TOLERANCES, default="f32", help="of the MLP pair")
    parser.add_argument("--dcgan-batch", type=int, default=64)
    parser.add_argument("--problem", choices=("mlp", "dcgan"), help="both unless told")
    parser.add_argument("--library-path", help="LD_LIBRARY_PATH of bench_cells alone")
    parser.add_argument("--patience", type=float, default=240, metavar="S", help="for each answer")
    parser.add_argument("--seconds", type=float, default=1200,
                        help="after which no further form and no further round begins")
    parser.set_defaults(dtype="float32", draws=False)
    options = parser.parse_args()
    if options.check:
        return check(options)
    if not options.bench_cells:
        parser.error("bench_cells is needed, but for --check")
    options.end_s = time.monotonic() + options.seconds
    if options.problem != "dcgan":
        compare_mlp(options)
    if options.problem != "mlp":
        compare_dcgan(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
