"""What a run writes for TensorBoard, by TensorBoard's own reader."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import unittest

from written_events import WrittenEvents


class TensorboardPeer(WrittenEvents):
    """The reader is that of the Python that LIPIZZ_TENSORBOARD_PYTHON names."""

    def read(self, folders):
        python = os.environ.get("LIPIZZ_TENSORBOARD_PYTHON") or sys.executable
        if subprocess.run([python, "-c", "import tensorboard"], capture_output=True, check=False).returncode != 0:
            self.skipTest("there is no TensorBoard (python3 -m pip install tensorboard; LIPIZZ_TENSORBOARD_PYTHON names "
                          "the Python that has it)")
        reader = pathlib.Path(__file__).with_name("tensorboard_reader.py")
        read = subprocess.run([python, "-B", reader, self.run_folder / "tensorboard"], text=True, capture_output=True,
                              check=False)
        self.assertEqual(read.returncode, 0, read.stderr)
        told = json.loads(read.stdout)
        self.assertEqual(set(told), set(folders))
        return {run: tuple(self.by_steps(kinds[kind]) for kind in ("scalars", "images", "histograms"))
                for run, kinds in told.items()}

    def by_steps(self, tags):
        for tag, values in tags.items():
            self.assertEqual(len(dict(values)), len(values), f"{tag} is told twice of a step")
        return {tag: {step: base64.b64decode(value) if isinstance(value, str) else value for step, value in values}
                for tag, values in tags.items()}


if __name__ == "__main__":
    unittest.main()
