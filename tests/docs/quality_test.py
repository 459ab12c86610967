"""The bench of docs/results.md: every row of every dataset is an experiment, and what was trained becomes a table.
LIPIZZ_BUILD names the folder that the program was built in."""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench" / "quality"
sys.path.insert(0, str(BENCH))
from experiments import experiment  # noqa: E402
from table import costs, one_pairs_seconds  # noqa: E402
BINARY = pathlib.Path(os.environ["LIPIZZ_BUILD"]) / "bin" / "lipizz"
EXPERIMENTS = json.loads((BENCH / "experiments.json").read_text())
SMALL = {"datasets": {"ring8": {"config": "ring8.json", "generations": 2, "parts": 2, "figures": ["modes"], "settings": {
             "data": {"batches_per_generation": 2}, "score": {"n_samples": 50, "n_samples_training": 20}}}},
         "rows": {"one pair": {"what": "a grid of one cell", "grid": [1, 1], "apart": True},
                  "twice, as long": {"what": "a longer grid", "length": 2},
                  "in halves": {"what": "shorter generations", "cut": True},
                  "weighed anew": {"what": "its mixture", "ensemble_of": "twice, as long", "weighting": "genetic"}}}


class Quality(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="lipizz-quality-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def succeed(self, script, *arguments, experiments=None):
        environment = dict(os.environ)
        if experiments:
            path = self.folder / "experiments.json"
            path.write_text(json.dumps(experiments))
            environment["LIPIZZ_EXPERIMENTS"] = str(path)
        result = subprocess.run([sys.executable, "-B", BENCH / script, *map(str, arguments)], text=True, timeout=250,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def table_of(self, runs, experiments=SMALL):
        page = self.folder / "results.md"
        self.succeed("table.py", "--runs", runs, "--records", self.folder / "records", "--output", page,
                     experiments=experiments)
        return page.read_text()

    def test_every_row_of_every_dataset_is_an_experiment(self):
        planned = self.succeed("run.py", BINARY, *EXPERIMENTS["datasets"], "--plan", "--output", self.folder / "runs")
        n_rows = len(EXPERIMENTS["datasets"]) * len(EXPERIMENTS["rows"])
        self.assertEqual(len(re.findall(r"^== ", planned, re.MULTILINE)), n_rows)

    def test_the_default_is_what_is_shipped_but_for_its_length(self):
        for dataset, description in EXPERIMENTS["datasets"].items():
            shipped = json.loads((BENCH.parent.parent / "configs" / description["config"]).read_text())
            row = experiment(EXPERIMENTS, dataset, "default")
            for network in ("generator", "discriminator"):
                for setting in ("opponents", "learning_rate", "loss"):
                    if setting in shipped[network]:
                        self.assertEqual(row[network][setting], shipped[network][setting], (dataset, network))
            self.assertEqual(row.get("recombination", "none"), shipped.get("recombination", "none"), dataset)
            self.assertEqual(row["data"].get("batch_size"), shipped["data"].get("batch_size"), dataset)
            if shipped.get("recombination"):  # what is averaged is as near
                self.assertEqual(row["data"]["batches_per_generation"], shipped["data"]["batches_per_generation"],
                                 dataset)

    def test_a_row_that_is_another_one_has_its_own_changes(self):
        default = experiment(EXPERIMENTS, "cifar10", "default")
        self.assertEqual(default, experiment(EXPERIMENTS, "cifar10", "recombination"))
        longer = experiment(EXPERIMENTS, "cifar10", "default, four times as long")
        self.assertEqual(longer["generations"], 4 * default["generations"])
        self.assertEqual(longer["generator"]["schedule"]["generations"], longer["generations"])
        self.assertEqual(longer["data"], default["data"])

    def test_a_selection_happens_so_often_in_a_run_and_in_each_generation_of_a_short_one(self):
        for dataset, period in (("ring8", 10), ("stacked-mnist", 2), ("mnist", 1), ("glyphs", 1)):
            for row in ("pair tournament", "exploit and explore", "novelty"):
                self.assertEqual(experiment(EXPERIMENTS, dataset, row)["selection"]["period"], period)

    def test_lengths_and_changes_may_be_those_of_a_dataset(self):
        seconds = "one pair, as many seconds as the default"
        self.assertEqual(experiment(EXPERIMENTS, "ring8", seconds), experiment(EXPERIMENTS, "ring8", "one pair"))
        self.assertEqual(experiment(EXPERIMENTS, "mnist", seconds)["generations"], 23)
        for dataset, generations in (("glyphs", 4), ("mnist", 10)):
            opponents = experiment(EXPERIMENTS, dataset, "share that changes")["discriminator"]["opponents"]
            self.assertEqual(opponents["generations"], generations)

    def test_seconds_are_compared_with_those_of_the_same_machine_alone(self):
        def run(cpu_s, **machine):
            return {"cpu_s": cpu_s, "numerics": "avx2", **machine}
        pairs = [run(10), run(20, machine="b")]
        seconds = one_pairs_seconds({"one pair": {"runs": pairs}})
        self.assertEqual(costs([run(40)], seconds), "4")
        self.assertEqual(costs([run(40, machine="b")], seconds), "2")
        self.assertEqual(costs([run(40), run(60, machine="b")], seconds), "3.5")
        self.assertEqual(costs([run(40, machine="c")], seconds), "-")

    def test_what_was_trained_becomes_a_table(self):
        runs = self.folder / "runs"
        self.succeed("run.py", BINARY, "ring8", "--seeds", 2, "--output", runs, experiments=SMALL)
        again = self.succeed("run.py", BINARY, "ring8", "--seeds", 2, "--output", runs, experiments=SMALL)
        self.assertNotIn("at generation", again)  # all of it is there
        text = self.table_of(runs)
        results = {path.parent.name: json.loads(path.read_text()) for path in runs.rglob("result.json")}
        self.assertEqual(len(results), 6)
        for result in results.values():
            self.assertIn(f"`{result['fingerprint']}`", text)
        rows = dict(re.findall(r"^\| (one pair|twice, as long) \| 2 \| ([\d.]+) ± ", text, re.MULTILINE))
        mean = sum(r["score"]["value"] for r in results.values() if r["grid"]["rows"] == 1) / 2
        self.assertAlmostEqual(float(rows["one pair"]), mean, delta=0.01 * mean)
        self.assertRegex(text, r"\| weighed anew \| 2 \| [\d.]+ ± [\d.]+ \| \d")  # its modes were asked for
        lengths = sorted(r["generations"] for r in results.values())
        self.assertEqual(lengths, [2, 2, 4, 4, 4, 4])
        self.assertEqual(self.table_of(self.folder / "none"), text)  # records outlast the runs
        records = ["--records", self.folder / "records", "--output", self.folder / "elsewhere"]
        self.succeed("run.py", BINARY, "ring8", "--seeds", 2, *records, experiments=SMALL)
        self.assertEqual(list((self.folder / "elsewhere").rglob("result.json")), [])
        self.succeed("run.py", BINARY, "ring8", "--rows", "one pair", "--seeds", 1, *records, "--again",
                     experiments=SMALL)
        self.assertEqual(len(list((self.folder / "elsewhere").rglob("result.json"))), 1)
        renamed = copy.deepcopy(SMALL)
        renamed["rows"]["alone"] = dict(renamed["rows"]["one pair"])
        # Of the same settings, and so the same runs.
        self.assertIn("| one pair (also: alone) | 2 |", self.table_of(self.folder / "none", renamed))
        longer = copy.deepcopy(SMALL)
        longer["rows"]["twice, as long"]["length"] = 3
        changed = self.table_of(self.folder / "none", longer)
        self.assertIn("| one pair | 2 |", changed)
        self.assertNotIn("| twice, as long |", changed)  # those of other settings do not
        self.assertNotIn("| weighed anew |", changed)


if __name__ == "__main__":
    unittest.main()
