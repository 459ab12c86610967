"""bench/scaling: what is measured, what the model says of it, and its picture."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCALING = pathlib.Path(__file__).parents[2] / "bench" / "scaling"
sys.path.insert(0, str(SCALING))
import measure  # noqa: E402
import model  # noqa: E402
import plot  # noqa: E402


def grid(size, cores, one_core_s, ranks_s):
    exchange = {"messages_per_cell_and_generation": 4, "bytes_per_cell_and_generation": 1000}
    return {"grid": f"{size}x{size}", "cells": size * size, "cores": cores,
            "one core": {"generation_s": one_core_s}, "ranks": {"generation_s": ranks_s, "exchange": exchange}}


# A cell takes 2 s, its exchange 4 * 0.01 + 1000 / 10000 = 0.14 s, a line 0.001 s of the master.
MEASURED = {"cores": 2, "latency_s": 0.01, "bytes_per_s": 10000, "starts_s": {"5": 1}, "master_s": 0.001,
            "grids": [grid(1, 1, 2, 2), grid(2, 2, 8, 5), grid(4, 2, 32, 20)]}


STEPS = """mlp, engine onednn, batch 100, 41 rounds
generator step          272.9 MFLOP  floor  2.938 ms  step  5.000 ms   56.3 % of its floor
discriminator step      296.0 MFLOP  floor  3.187 ms  step  6.000 ms   55.6 % of its floor
one of each in turn     568.9 MFLOP  floor  6.125 ms  step 11.500 ms   53.3 % of its floor
"""


class Measure(unittest.TestCase):
    def test_the_discriminator_trains_on_every_second_batch(self):
        self.assertAlmostEqual(measure.seconds_of_steps(STEPS, 3), 0.005 + 2 * 0.0115)

    def test_a_command_is_watched_until_it_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(list(measure.watched(["sleep", 0.3], folder, 0.05)))
            with self.assertRaises(SystemExit) as failed:
                list(measure.watched(["sh", "-c", "echo why; exit 3"], folder, 0.01))
        self.assertEqual(failed.exception.code, "why\n")


class Model(unittest.TestCase):
    def setUp(self):
        self.model = model.Model(MEASURED, MEASURED["latency_s"], MEASURED["bytes_per_s"])

    def test_cells_wait_for_cores(self):
        self.assertAlmostEqual(self.model.generation(16, 16)[0], 2.14)
        self.assertAlmostEqual(self.model.generation(16, 2)[0], 16.14)

    def test_a_cell_alone_exchanges_nothing(self):
        self.assertAlmostEqual(self.model.generation(1, 1)[0], 2)

    def test_what_binds_a_grid(self):
        self.assertEqual(self.model.generation(16, 16)[1], "training")
        self.assertEqual(self.model.generation(10000, 10000), (10, "the master"))
        far = model.Model(MEASURED, 1, 10000)
        self.assertEqual(far.generation(16, 16)[1], "the exchange")

    def test_predictions_stand_beside_what_was_measured(self):
        lines = model.comparison(self.model, MEASURED).splitlines()
        self.assertEqual(lines[3].split(), ["4x4", "2", "20.000", "16.140", "0.81"])


class Plot(unittest.TestCase):
    def test_times_are_those_by_cell_and_core_beside_2x2(self):
        self.assertEqual(plot.measured_times(MEASURED), {4: 2.5, 16: 2.5})
        self.assertEqual(plot.relative_to_2x2(plot.measured_times(MEASURED)), [(4, 1), (16, 1)])

    def test_larger_times_lie_higher(self):
        self.assertGreater(plot.at(4, 1)[1], plot.at(4, 2)[1])
        self.assertLess(plot.at(4, 1)[0], plot.at(16, 1)[0])

    def test_the_picture_is_an_svg_with_a_line_of_each(self):
        with tempfile.TemporaryDirectory() as folder:
            measured, picture = (pathlib.Path(folder) / name for name in ("scaling.json", "scaling.svg"))
            measured.write_text(json.dumps(MEASURED), encoding="utf-8")
            subprocess.run([sys.executable, "-B", SCALING / "plot.py", measured, picture], check=True)
            root = xml.etree.ElementTree.parse(picture).getroot()
        lines = root.findall("{http://www.w3.org/2000/svg}polyline")
        self.assertEqual(len(lines), 3)
        texts = " ".join(element.text for element in root.findall("{http://www.w3.org/2000/svg}text"))
        for name in ("Perez et al. 2020", "lipizz, modelled", "on 2 cores"):
            self.assertIn(name, texts)


if __name__ == "__main__":
    unittest.main()
