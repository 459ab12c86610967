"""`lipizz compare`: its figures are those of the runs' results, and a browser shows its page."""

import json
import re
import unittest

import browser
from launch import POINTS, SystemTest, in_process

CHECKPOINT, USAGE = 6, 2
RUNS = {"a": ("1", "bce"), "b": ("2", "bce"), "c": ("1", "mse")}
SHORT = ["--grid", "1x1", "--generations", "2", "--quiet", *POINTS, "--set", "data.max_samples=300"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


class CompareTest(SystemTest):
    def setUp(self):
        super().setUp()
        self.runs = self.folder / "runs"
        for name, (seed, loss) in RUNS.items():
            finished = self.run_to_end(in_process(*SHORT, "--seed", seed, "--set", f"generator.loss={loss}", "--output",
                                                  self.runs / name))
            self.assertEqual(finished.exit_code, 0, finished.output)

    def compare(self, *arguments):
        finished = self.run_to_end(in_process("compare", *arguments))
        self.assertEqual(finished.exit_code, 0, finished.output)
        return finished.output

    def results(self):
        """Of each run, by its name; the lowest score first."""
        results = {name: read(self.runs / name / "result.json") for name in RUNS}
        return dict(sorted(results.items(), key=lambda entry: entry[1]["score"]["value"]))


class Compare(CompareTest):
    def test_shows_what_the_results_say(self):
        results = self.results()
        output = self.compare(self.runs, "--against", self.runs / "b")
        rows = [line.split() for line in re.search(r"^ *no .*\n((?: *\d.*\n)*)", output, re.MULTILINE).group(1).splitlines()]
        self.assertEqual(len(rows), len(results))
        reference = results["b"]["score"]["value"]
        for number, ((name, result), row) in enumerate(zip(results.items(), rows, strict=True), 1):
            score = result["score"]["value"]
            self.assertEqual(row[0], str(number))
            self.assertAlmostEqual(float(row[1]), score, delta=1e-5 * score)
            self.assertAlmostEqual(float(row[3]), score / reference, delta=1e-3 * score / reference)
            self.assertIn(name, row)
            self.assertIn(result["fingerprint"], output)
        scores = [results[name]["score"]["value"] for name in ("a", "b")]
        n, mean, error = re.search(r"^\d \d +(\d) +(\S+) +(\S+)$", output, re.MULTILINE).groups()
        self.assertEqual(n, "2")
        self.assertAlmostEqual(float(mean), sum(scores) / 2, delta=1e-4)
        self.assertAlmostEqual(float(error), abs(scores[0] - scores[1]) / 2, delta=1e-4)

    def test_what_cannot_be_compared_is_refused(self):
        result = self.runs / "b" / "result.json"
        other = read(result)
        other["score"]["judge"] = "00000000000000ab"
        result.write_text(json.dumps(other), encoding="utf-8")
        refused = self.run_to_end(in_process("compare", self.runs))
        self.assertEqual(refused.exit_code, USAGE)
        self.assert_one_message(refused, r"scores were taken by one judge, found 2: .*00000000000000ab \(.*runs/b\)")
        result.write_text("{", encoding="utf-8")
        left_out = self.run_to_end(in_process("compare", self.runs))
        self.assertEqual(left_out.exit_code, CHECKPOINT)
        self.assertIn("2 runs in ", left_out.output)
        self.assertIn("left out\n", left_out.output)
        refused = self.run_to_end(in_process("compare", self.runs / "b"))
        self.assertEqual(refused.exit_code, CHECKPOINT)
        self.assert_one_message(refused, "expected the result of a run")
        refused = self.run_to_end(in_process("compare", self.folder / "nothing"))
        self.assertEqual(refused.exit_code, USAGE)
        self.assert_one_message(refused, "found nothing at ")


@unittest.skipUnless(browser.program(), "no Chromium is installed (Debian: chromium)")
class ComparePage(CompareTest):
    def test_the_page_shows_all_of_it(self):
        page = self.folder / "runs.html"
        self.compare(self.runs, "--against", self.runs / "b", "--output", page)
        with browser.Browser(self.folder) as running:
            shown = running.open(page)
            shown.wait_until("lipizz.isIdle()", "drawn all charts")
            self.assertEqual((shown.errors, shown.requests), ([], []))
            names = "[...document.querySelectorAll('#runs tbody tr')].map((row) => row.children[1].textContent)"
            in_order = list(self.results())
            self.assertEqual(shown.evaluate(names), in_order)
            shown.evaluate("[...document.querySelectorAll('#runs thead button')].find((head) => head.textContent === 'run').click()")
            self.assertEqual(shown.evaluate(names), sorted(in_order))
            curves = shown.evaluate("lipizz.charts[0].chart.data.datasets.map((curve) => [curve.label, curve.data.length])")
            self.assertEqual(curves, [*([name, 2] for name in in_order), ["floor", 2]])
            for name in ("score", "difference", "ratio", "seed", "generator.loss"):
                self.assertIn(name, shown.evaluate("[...document.querySelectorAll('#runs thead button')].map((head) => head.textContent)"))
            shown.resize(390, 844, is_touch=True)
            shown.settle()
            self.assertLessEqual(shown.evaluate("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
