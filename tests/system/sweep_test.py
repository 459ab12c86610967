"""A sweep over 3 learning rates, 2 losses and 3 seeds: stopped, killed, finished, reported, and stopped early."""

import csv
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import subprocess

from launch import BINARY, SystemTest, in_process

# Bits of their own on whatever processor, so that the same combination wins everywhere.
SWEEP = {
    "base": {"numerics": "baseline", "grid": {"rows": 1, "columns": 2}, "generations": 12,
             "data": {"dataset": "ring8", "max_samples": 500, "batch_size": 50, "batches_per_generation": 5},
             "selection": "none", "replacement": "generational", "fitness": {"n_samples": 50},
             "generator": {"average_decay": 0},
             "discriminator": {"learning_rate": 2e-4, "penalty": "none",
                               "opponents": {"kind": "partner-share", "share": 0.8}},
             "score": {"n_samples": 200, "n_samples_training": 100}},
    "axes": [{"setting": "generator.learning_rate", "values": [0.0005, 0.005, 0.05]},
             {"setting": "generator.loss", "values": ["bce", "mse"]}],
    "seeds": 3}
HALVED = {**SWEEP, "stop_early": {"rungs": [2, 4], "keep": 0.5}}


def results_of(folder):
    """The results of a sweep's runs, by the names of their folders."""
    return {path.parent.name: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("runs/*/result.json"))}


def combination_of(run):
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    return config["generator"]["learning_rate"], config["generator"]["loss"]


def figures_of(folder):
    """Combination -> (n, mean, standard error), from the runs alone."""
    scores = {}
    for name, result in results_of(folder).items():
        scores.setdefault(combination_of(folder / "runs" / name), []).append(result["score"]["value"])
    return {key: (len(values), statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)))
            for key, values in scores.items()}


def rows_of(folder, name):
    with open(folder / "report" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def times_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/result.json")}


class Sweep(SystemTest):
    def sweep_file(self, name, sweep):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(sweep), encoding="utf-8")
        return path

    def command(self, verb, file, *more):
        return in_process("sweep", verb, file, "--output", self.folder / file.stem, *more)

    def told(self, verb, file, *more, exit_code=0):
        finished = self.run_to_end(self.command(verb, file, *more))
        self.assertEqual(finished.exit_code, exit_code, finished.output)
        return finished.output

    def begin_and_end(self, file, n_results, number):
        """Starts the sweep, and sends all its processes a signal once so many results are there."""
        folder = self.folder / file.stem
        running = self.start(self.command("run", file, "--jobs", "2"))
        running.wait_until(lambda: len(results_of(folder)) >= n_results, f"{n_results} results")
        if number == signal.SIGKILL:
            running.signal_those_left(running.processes(), number)
        else:
            running.signal_launcher(number)
        return running.wait()

    def test_killed_half_way_goes_on_and_finds_the_same_winner_when_it_stops_early(self):
        file, folder = self.sweep_file("rates", SWEEP), self.folder / "rates"
        stopped = self.begin_and_end(file, 2, signal.SIGTERM)
        self.assertEqual(stopped.exit_code, 75, stopped.output)
        self.assertIn("waiting", stopped.output)
        self.begin_and_end(file, 8, signal.SIGKILL)
        before = times_of(folder)
        self.assertGreaterEqual(len(before), 8)
        self.assertLess(len(before), 18)
        self.assertRegex(self.told("status", file), r"\d+ finished, .*(stale|waiting)")
        self.assertIn("18 finished", self.told("run", file, "--jobs", "2"))
        after = times_of(folder)
        self.assertEqual(len(after), 18)
        self.assertEqual({path: after[path] for path in before}, before, "what was finished was not trained again")
        self.told("run", file)
        self.assertEqual(times_of(folder), after, "nothing is left")
        self.reports_what_the_runs_say(file, folder)
        self.adds_to_it_without_repeating(file, folder, after)
        self.stops_early_with_the_same_winner(folder)

    def reports_what_the_runs_say(self, file, folder):
        output = self.told("report", file)
        expected = figures_of(folder)
        rows = rows_of(folder, "table.csv")
        self.assertEqual(len(rows), len(expected))
        for row in rows:
            n, mean, error = expected[float(row["generator.learning_rate"]), row["generator.loss"]]
            self.assertEqual(int(row["n"]), n)
            self.assertAlmostEqual(float(row["mean"]), mean, delta=1e-12 * abs(mean))
            self.assertAlmostEqual(float(row["standard_error"]), error, delta=1e-12 * abs(mean))
        self.assertEqual([float(row["mean"]) for row in rows], sorted(float(row["mean"]) for row in rows))
        best = json.loads((folder / "report/best.json").read_text(encoding="utf-8"))
        winner = min(expected, key=lambda key: expected[key][1])
        self.assertEqual((best["generator"]["learning_rate"], best["generator"]["loss"]), winner)
        self.told_by("config", "check", folder / "report/best.json")
        self.assertTrue(all(len(line) <= 80 for line in output.splitlines() if str(self.folder) not in line), output)
        run = rows_of(folder, "runs.csv")[0]
        repeated = self.result_of(in_process("--config", folder / "report/best.json", "--seed", run["seed"],
                                             "--set", f"generator.learning_rate={run['generator.learning_rate']}",
                                             "--set", f"generator.loss={run['generator.loss']}"))
        self.assertEqual(repeated["fingerprint"], run["fingerprint"], "a run of a sweep is a run like any other")

    def told_by(self, *arguments):
        finished = self.run_to_end(in_process(*arguments))
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def adds_to_it_without_repeating(self, file, folder, times):
        """Another seed and another axis, of which one value is what was trained already."""
        larger = {**SWEEP, "seeds": [1, 4], "axes": [{"setting": "discriminator.beta1", "values": [0.5]},
                                                    SWEEP["axes"][0]]}
        self.sweep_file("rates", larger)
        self.assertIn("3 finished, 3 waiting", self.told("plan", file, "--no-timing"))
        self.assertRegex(self.told("plan", file), r"timing run: 3 generations in .* s with")
        self.told("run", file)
        after = times_of(folder)
        self.assertEqual(len(after), 21)
        self.assertEqual({path: after[path] for path in times}, times)

    def stops_early_with_the_same_winner(self, whole):
        file, folder = self.sweep_file("halved", HALVED), self.folder / "halved"
        output = self.told("run", file, "--jobs", "2")
        self.assertIn("rung at generation 2: 3 of 6 combinations go on", output)
        self.assertIn("rung at generation 4: 2 of 3 combinations go on", output)
        results = results_of(folder)
        trained = sum(result["generations"] for result in results.values())
        self.assertLessEqual(trained, 18 * 12 / 2)
        self.assertIn(f"stopping early saved {18 * 12 - trained} of 216 generations", output)
        self.told("report", file)
        winner = min(figures_of(whole), key=lambda key: figures_of(whole)[key][1])
        best = json.loads((folder / "report/best.json").read_text(encoding="utf-8"))
        self.assertEqual((best["generator"]["learning_rate"], best["generator"]["loss"]), winner)
        undisturbed = results_of(whole)
        finished = {name: result for name, result in results.items() if result["generations"] == 12}
        self.assertEqual(len(finished), 6)
        for name, result in finished.items():
            same = next(other for other in undisturbed if other.endswith(name[-16:]))
            self.assertEqual(result["fingerprint"], undisturbed[same]["fingerprint"],
                             "two rungs on its way change no bit")

    def test_a_run_that_fails_is_told_and_the_others_go_on(self):
        sweep = {"base": {**SWEEP["base"], "generations": 1}, "seeds": 2}
        file, folder = self.sweep_file("fails", sweep), self.folder / "fails"
        self.told("run", file)
        names = sorted(path.name for path in (folder / "runs").iterdir())
        shutil.rmtree(folder)
        # Somebody has put something else where the first run is to be.
        (folder / "runs").mkdir(parents=True)
        (folder / "runs" / names[0]).write_text("not a folder", encoding="utf-8")
        output = self.told("run", file, "--jobs", "1", exit_code=2)
        self.assertIn("1 finished, 1 failed", output)
        self.assertRegex(output, r"failed: seed=1, code 2\n  cannot make the output folder")
        (folder / "runs" / names[0]).unlink()
        self.told("run", file, exit_code=2)
        self.assertIn("2 finished", self.told("run", file, "--retry"))

    def test_bad_files_get_one_message(self):
        wrong = self.sweep_file("wrong", {"axes": [{"setting": "generator.learning_rat", "values": [1]}]})
        finished = self.run_to_end(self.command("run", wrong))
        self.assertEqual(finished.exit_code, 2)
        self.assert_one_message(finished, r"wrong\.json: axes\[0\].*did you mean \"generator.learning_rate\"")
        unfit = self.sweep_file("unfit", {**SWEEP, "axes": [{"setting": "augmentation", "values": [[], ["color"]]}]})
        finished = self.run_to_end(self.command("run", unfit))
        self.assertEqual(finished.exit_code, 2)
        self.assert_one_message(finished, r"unfit\.json: augmentation=\[\"color\"\]: augmentation: ring8 has no images")
        self.assertFalse((self.folder / "unfit").exists(), "nothing has started")

    def test_options_that_nobody_would_read_are_refused(self):
        file = self.sweep_file("rates", SWEEP)
        for verb, options, complaint in (
                ("run", ["--write-only"], "--write-only goes with --slurm"),
                ("run", ["--tasks", "5"], "--tasks goes with --slurm"),
                ("run", ["--sbatch=--time=10"], "--sbatch goes with --slurm"),
                ("run", ["--slurm", "--write-only", "--retry"], "--retry goes without --slurm.*sweep run FILE --retry"),
                ("run", ["--slurm", "--write-only", "--leave-rest"], "--leave-rest goes without --slurm"),
                ("run", ["--slurm", "--write-only", "--sbatch=--time=10"], "--sbatch goes without --write-only"),
                ("run", ["--slurm", "--write-only", "--jobs", "abc"], "--jobs: expected a whole number"),
                ("plan", ["--jobs", "abc"], "--jobs: expected a whole number"),
                ("plan", ["--no-timing", "--jobs", "2"], "--jobs goes without --no-timing"),
                ("status", ["--tasks", "5"], "sweep status does not take --tasks"),
                ("report", ["--retry"], "sweep report does not take --retry")):
            with self.subTest(verb=verb, options=options):
                finished = self.run_to_end(self.command(verb, file, *options))
                self.assertEqual(finished.exit_code, 2, finished.output)
                self.assert_one_message(finished, complaint)
        self.assertFalse((self.folder / "rates").exists(), "nothing has started")

    def test_a_script_for_slurm_is_written(self):
        file, folder = self.sweep_file("rates", SWEEP), self.folder / "rates"
        output = self.told("run", file, "--slurm", "--write-only", "--tasks", "4", "--jobs", "2")
        self.assertIn(str(folder / "array.sbatch"), output)
        script = (folder / "array.sbatch").read_text(encoding="utf-8")
        self.assertIn("--array=1-4\n", script)
        self.assertIn("--cpus-per-task=4\n", script)
        subprocess.run(["bash", "-n", folder / "array.sbatch"], check=True)
        self.assertIn(str(pathlib.Path(BINARY).resolve()), script)
        self.assertTrue(os.path.isabs(script.partition("sweep run '")[2].partition("'")[0]))
