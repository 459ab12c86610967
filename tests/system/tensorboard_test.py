"""What a run writes for TensorBoard, by a small reader of this project's."""

import unittest

from event_files import Told
from launch import POINTS
from written_events import WrittenEvents


class Tensorboard(WrittenEvents):
    def read(self, folders):
        told = {run: Told(path) for run, path in folders.items()}
        return {run: (each.scalars, each.images, each.histograms) for run, each in told.items()}

    def test_a_run_that_does_not_ask_has_none(self):
        self.trains("--grid", "1x1", "--generations", 1, *POINTS, "--output", self.run_folder)
        self.assertFalse((self.run_folder / "tensorboard").exists())


if __name__ == "__main__":
    unittest.main()
