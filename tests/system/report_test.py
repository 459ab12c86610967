"""`lipizz report`: its figures are those of metrics.jsonl, and a browser shows all of them."""

import hashlib
import json
import re
import shutil
import signal
import unittest

import browser
from launch import POINTS, SystemTest, in_process, on_ranks
from made_run import SPIKE, SPIKE_AT, MadeRun
from recovery_test import FAST_HEARTBEAT

LARGEST_PAGE = 5_000_000
OPENS_IN_S = 2
FIGURES = {"score": lambda line: line["score"], "generator_loss": lambda line: line["generator"]["loss"],
           "generator_rate": lambda line: line["generator"]["rate"], "discriminator_loss": lambda line: line["discriminator"]["loss"],
           "discriminator_rate": lambda line: line["discriminator"]["rate"]}


def data_of(page):
    """What the page's own scripts would read."""
    text = page.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL).group(1))


def points_of(series):
    """{generation: value} of a series as the page has it."""
    points, generation = {}, 0
    for step, value in zip(series["d"], series["v"], strict=True):
        generation += step
        points[generation] = value
    return points


def founders_of(lines, n_cells, n_generations, network):
    """{generation: the cell of the start that each cell's network descends from}."""
    by_place = {(line["generation"], line["cell"]): line[network] for line in lines}
    founders = {0: list(range(n_cells))}
    for generation in range(1, n_generations + 1):
        told = [by_place[generation, cell] for cell in range(n_cells)]
        founders[generation] = [founders[generation - 1][one["origin"] if one["replaced"] else cell] for cell, one in enumerate(told)]
    return founders


def files_of(folder):
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


class ReportTest(SystemTest):
    def report(self, run, *options, exit_code=0):
        finished = self.run_to_end(in_process("report", run, *options))
        self.assertEqual(finished.exit_code, exit_code, finished.output)
        return finished.output

    def made(self, name, *, rows=2, columns=2, generations=3, n_sheets=2, **how):
        run = self.folder / name
        MadeRun(run, rows, columns, generations, **how).write(n_sheets)
        return run


class Report(ReportTest):
    def assert_near(self, found, expected):
        if expected is None:
            return self.assertIsNone(found)
        return self.assertAlmostEqual(found, expected, delta=1e-4 * abs(expected) + 1e-12)

    def test_says_what_the_metrics_say(self):
        run = self.folder / "run"
        finished = self.run_to_end(in_process("--grid", "2x3", "--generations", 5, *POINTS, "--quiet", "--output", run))
        self.assertEqual(finished.exit_code, 0, finished.output)
        before = files_of(run)
        self.assertEqual(self.report(run).strip(), str(run / "report.html"))
        after = files_of(run)
        self.assertEqual({path: after[path] for path in before}, before)
        self.assertEqual(set(after) - set(before), {run / "report.html"})
        self.report(run)  # again

        data = data_of(run / "report.html")
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(data["series"]["cells"], list(range(6)))
        for line in lines:
            cell, generation = line["cell"], line["generation"]
            for name, figure in FIGURES.items():
                self.assert_near(points_of(data["series"][name][cell])[generation], figure(line))
            self.assertEqual(data["frames"]["generations"][generation - 1], generation)
            self.assert_near(data["frames"]["score"][generation - 1][cell], line["score"])
            place, *weights = data["frames"]["mixture"][generation - 1][cell]
            self.assertEqual(data["frames"]["members"][place], [member for member, _ in line["mixture"]])
            for weight, (_, expected) in zip(weights, line["mixture"], strict=True):
                self.assertAlmostEqual(weight / 1000, expected, delta=0.0006)
        scored = [line for line in lines if line["score"] is not None]
        best = min(scored, key=lambda line: (line["score"], line["generation"], line["cell"]))
        self.assertEqual((data["best"]["generation"], data["best"]["cell"]), (best["generation"], best["cell"]))
        for network in ("generator", "discriminator"):
            founders = founders_of(lines, 6, 5, network)
            self.assertEqual(data["lineage"][network]["founders"], [founders[generation] for generation in range(1, 6)])
            self.assertEqual(points_of(data["lineage"][network]["alive"]), {g: len(set(founders[g])) for g in range(1, 6)})
            taken = sum(line[network]["replaced"] and line[network]["origin"] != line["cell"] for line in lines)
            self.assertEqual(data["lineage"][network]["n_taken"], taken)
        result = json.loads((run / "result.json").read_text())
        self.assertEqual(data["run"]["fingerprint"], result["fingerprint"])
        self.assert_near(data["run"]["floor"], result["score"]["floor"])
        self.assertEqual({row["name"]: row["bytes"] for row in data["traffic"]},
                         {name: count["bytes"] for name, count in result["traffic"].items() if name != "unauthenticated"})
        self.assertEqual(data["timeline"]["marks"][-1]["kind"], "finished")

    def test_a_long_run_fits_on_a_page_and_keeps_its_spike(self):
        run = self.made("long", generations=1100, n_sheets=50)
        self.report(run)
        page = run / "report.html"
        self.assertLess(page.stat().st_size, LARGEST_PAGE)
        data = data_of(page)
        for name in FIGURES:
            for series in data["series"][name]:
                self.assertLessEqual(len(series["v"]), 500)
        spiky = points_of(data["series"]["score"][0])
        self.assert_near(spiky[SPIKE_AT], SPIKE)
        self.assertTrue({1, 1100} <= set(spiky))
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        for generation, value in spiky.items():
            self.assert_near(value, lines[4 * (generation - 1)]["score"])
        self.assertLessEqual(len(data["sheets"]["list"]), 40)
        last = data["sheets"]["list"][-1]
        self.assertEqual((last["name"], last["generation"]), ("best.png", 1100))
        drawn = [int(path.stem[len("best-gen"):]) for path in (run / "samples").glob("best-gen*.png")]
        of_best = max(generation for generation in drawn if generation <= data["best"]["generation"])
        self.assertIn(of_best, [sheet["generation"] for sheet in data["sheets"]["list"]])
        self.assertRegex(data["findings"][0]["text"], r"The best generation was \d+ of 1,100")

    def test_what_is_no_run_is_refused(self):
        self.assertIn("expected the folder of a run", self.report(self.folder, exit_code=2))
        self.assertIn("expected the folder of a run", self.report(self.folder / "none", exit_code=2))
        run = self.made("run")
        page = self.folder / "mine.html"
        page.write_text("<html>my own</html>")
        self.assertIn("something else", self.report(run, "--output", page, exit_code=2))
        self.assertEqual(page.read_text(), "<html>my own</html>")

    def test_damage_is_left_out_and_told(self):
        run = self.made("run")
        metrics = run / "metrics.jsonl"
        lines = metrics.read_text().splitlines()
        metrics.write_text("\n".join([*lines[:5], lines[5].replace("loss", "boss"), *lines[6:], "x" * 100, ""]))
        self.report(run)
        data = data_of(run / "report.html")
        self.assertIn("2 lines of metrics.jsonl are damaged and left out here", [finding["text"] for finding in data["findings"]])
        self.assertIsNone(points_of(data["series"]["generator_loss"][1])[2])
        self.assertNotIn(2, points_of(data["series"]["score"][1]))

    def test_scores_of_some_generations_make_a_line_and_stay_until_the_next(self):
        run = self.made("sparse", generations=1200, score_every=100)
        self.report(run)
        data = data_of(run / "report.html")
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        told = {line["generation"]: line["score"] for line in lines if line["cell"] == 3 and line["score"] is not None}
        shown = points_of(data["series"]["score"][3])
        self.assertEqual(list(shown), list(range(100, 1201, 100)))
        for generation, score in told.items():
            self.assert_near(shown[generation], score)
        frames = dict(zip(data["frames"]["generations"], data["frames"]["score"], strict=True))
        for generation, scores in frames.items():
            newest = told.get(generation // 100 * 100)
            if newest is None:
                self.assertIsNone(scores[3], generation)
            else:
                self.assert_near(scores[3], newest)


# The pixels of a canvas, by a copy of it that is made to be read.
PIXELS = """function pixels(canvas) {
  const copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height});
  const context = copy.getContext("2d", {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  return new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
}"""
# Of each chart its title and how many marks it shows: points and bars within their axes, or colours of a picture.
MARKS = "(() => {" + PIXELS + """
  return lipizz.charts.map((one) => {
    if (!one.chart) return [one.title, new Set(pixels(one.canvas)).size - 1];
    const area = one.chart.chartArea;
    const isWithin = ({x, y}) => x >= area.left - 1 && x <= area.right + 1 && y >= area.top - 1 && y <= area.bottom + 1;
    const shown = one.chart.data.datasets.flatMap((_, i) => one.chart.isDatasetVisible(i) ? one.chart.getDatasetMeta(i).data : []);
    return [one.title, shown.filter(isWithin).length];
  });
})()"""
# How many pixels of each chart are painted.
PAINTED = "(() => {" + PIXELS + """
  return lipizz.charts.map((one) => [one.title, pixels(one.canvas).filter((pixel) => pixel !== 0).length]);
})()"""
WHAT_IS_SHOWN = """({generation: document.querySelector(".steer output").textContent, cell: lipizz.report.chosen.cell,
  select: document.getElementById("cell").value, picture: document.getElementById("sheet").src.length + document.getElementById("sheet").dataset.name,
  scores: [...document.querySelectorAll(".grid")[0].children].map((cell) => cell.textContent + cell.style.background).join(" "),
  weights: document.querySelectorAll(".grid").length > 1 ? document.querySelectorAll(".grid")[1].textContent : ""})"""


@unittest.skipUnless(browser.program(), "no Chromium is installed (Debian: chromium)")
class InBrowser(ReportTest):
    def setUp(self):
        super().setUp()
        self.browser = self.enterContext(browser.Browser(self.folder))

    def open(self, page, **options):
        shown = self.browser.open(page, **options)
        shown.wait_until("lipizz.isIdle()", "drawn all charts")
        shown.settle()
        return shown

    def assert_flawless(self, page):
        self.assertEqual(page.errors, [])
        self.assertEqual(page.requests, [])
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)

    def assert_has_marks(self, page):
        for expression in (MARKS, PAINTED):
            for title, n_marks in page.evaluate(expression):
                self.assertGreater(n_marks, 0, f"{title}: {expression}")

    def run_with_a_fault(self):
        """A 4x4 run that loses a worker half-way and goes on with a spare."""
        run = self.folder / "run"
        running = self.start(on_ranks(6, *FAST_HEARTBEAT, "--grid", "4x4", "--generations", 30, *POINTS, "--set", "data.max_samples=500",
                                      "--quiet", "--output", run, launcher=["--enable-recovery"]))
        log, metrics = run / "run.log", run / "metrics.jsonl"
        running.wait_until(lambda: log.exists() and "all workers answer" in log.read_text(), "the first heartbeats")
        running.wait_until(lambda: metrics.exists() and metrics.read_text().count("\n") >= 5 * 16, "trained five generations")
        running.signal_rank(2, signal.SIGKILL)
        finished = running.wait()
        self.assertEqual(finished.exit_code, 0, finished.output)
        return run

    def test_a_run_with_a_fault(self):
        run = self.run_with_a_fault()
        self.report(run)
        page = self.open(run / "report.html")
        self.assert_has_marks(page)
        titles = [title for title, _ in page.evaluate(MARKS)]
        for title in ("Score", "Generators: loss", "Discriminators: learning rate", "Generators: lines of descent", "Each rank by the clock",
                      "What each worker did"):
            self.assertIn(title, titles)
        for text in ("1 rank was lost: 2", "rank 2 was given up", "cells moved: all of them went on from generation"):
            self.assertIn(text, page.evaluate("document.body.textContent"))
        self.use_the_keyboard(page)
        self.follow_the_slider(page)
        self.assert_flawless(page)
        for width in (390, 1440):
            for scheme in ("light", "dark"):
                shown = self.open(run / "report.html", width=width, scheme=scheme, is_touch=width < 500)
                self.assertEqual(shown.evaluate("document.documentElement.dataset.theme"), scheme)
                self.assert_has_marks(shown)
                self.assert_flawless(shown)

    def follow_the_slider(self, page):
        def shown_at(frame):
            page.evaluate(f"(() => {{ const slider = document.getElementById('generation'); slider.value = {frame}; slider.dispatchEvent(new Event('input')); }})()")
            page.settle()
            return page.evaluate(WHAT_IS_SHOWN)
        first, last = shown_at(0), shown_at(29)
        self.assertEqual((first["generation"], last["generation"]), ("Generation 1", "Generation 30"))
        for what in ("picture", "scores", "weights"):
            self.assertNotEqual(first[what], last[what])
        sheets = page.evaluate("lipizz.data.sheets.list.map(({generation, name, is_final}) => ({generation, name, is_final}))")
        for frame in (0, 11, 28):
            newest = [sheet["name"] for sheet in sheets if sheet["generation"] <= frame + 1 and not sheet["is_final"]][-1]
            self.assertTrue(shown_at(frame)["picture"].endswith(newest))

    def use_the_keyboard(self, page):
        page.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
        page.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")

        page.evaluate("document.getElementById('generation').focus()")
        page.press("Home")
        self.assertEqual(page.evaluate(WHAT_IS_SHOWN)["generation"], "Generation 1")
        page.press("ArrowRight")
        self.assertEqual(page.evaluate(WHAT_IS_SHOWN)["generation"], "Generation 2")
        page.press("End")
        self.assertEqual(page.evaluate(WHAT_IS_SHOWN)["generation"], "Generation 30")

        page.evaluate("lipizz.report.choose({cell: 15})")
        page.settle()
        page.evaluate("document.querySelector('.grid [tabindex=\"0\"]').focus()")
        page.press("ArrowRight")  # round to the other side
        shown = page.evaluate(WHAT_IS_SHOWN)
        self.assertEqual((shown["cell"], shown["select"]), (12, "12"))
        page.press("ArrowDown")
        self.assertEqual(page.evaluate(WHAT_IS_SHOWN)["cell"], 0)
        self.assertEqual(page.evaluate("document.activeElement.dataset.cell"), "0")

        before = page.evaluate("document.documentElement.dataset.theme")
        page.evaluate("document.getElementById('theme').focus()")
        page.press("Enter")
        self.assertNotEqual(page.evaluate("document.documentElement.dataset.theme"), before)
        again = self.open(page.path)  # which remembers it
        self.assertNotEqual(again.evaluate("document.documentElement.dataset.theme"), before)
        again.close()
        page.press("Enter")
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), before)

        legend = "document.querySelector('.legend button')"
        page.evaluate(f"{legend}.focus()")
        page.press(" ")
        self.assertEqual(page.evaluate(f"{legend}.getAttribute('aria-pressed')"), "false")

    def test_every_kind_of_run(self):
        def without(name, **size):
            def change(*files, **settings):
                run = self.made(name, **size)
                for file in files:
                    path = run / file
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                configuration = json.loads((run / "config.json").read_text())
                (run / "config.json").write_text(json.dumps({**configuration, **settings}))
                return run
            return change
        said = {
            without("unfinished")("result.json", generations=9): "The run has not finished: 3 of 9 generations",
            without("begun")("result.json", "metrics.jsonl", "samples", "events.jsonl"): "No generation is complete yet",
            without("old")("events.jsonl"): "This run left no events.jsonl",
            without("alone", rows=1, columns=1)(): "1x1 grid",
            without("async")(exchange="async"): "asynchronous exchange",
            without("means")(recombination={"kind": "average"}): "mixed with its neighbours' (recombination average)",
            without("no-sheets")("samples"): "This run has no sheets yet.",
            without("one", generations=1)(): "The slider goes over 1 generations."}
        hostile = without("hostile")(name="<img src=x onerror=alert(1)></script><script>document.title='taken'</script>")
        said[hostile] = "<img src=x onerror=alert(1)></script>"
        for run, text in said.items():
            with self.subTest(run.name):
                self.report(run)
                page = self.open(run / "report.html")
                self.assertIn(text, page.evaluate("document.body.textContent"))
                self.assertNotEqual(page.evaluate("document.title"), "taken")
                self.assert_has_marks(page)
                self.assert_flawless(page)

    def test_64_cells_and_1000_generations_open_quickly(self):
        run = self.made("large", rows=8, columns=8, generations=1000, n_sheets=50)
        self.report(run)
        self.assertLess((run / "report.html").stat().st_size, LARGEST_PAGE)
        page = self.browser.open(run / "report.html")
        seconds = page.seconds_of_work()
        page.wait_until("lipizz.isIdle()", "drawn all charts")
        print(f"shown after {seconds:.2f} s of the page's thread, all charts after {page.seconds_of_work():.2f} s", flush=True)
        self.assertLess(seconds, OPENS_IN_S)
        self.assert_has_marks(page)
        self.assert_flawless(page)



if __name__ == "__main__":
    unittest.main()
