"""Nothing has come to take more instructions than bench/instructions.json keeps. LIPIZZ_BUILD names the folder that the
program was built in."""

import json
import os
import pathlib
import sys
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
from instructions import KEPT, can_count, counted, differences  # noqa: E402


class Instructions(unittest.TestCase):
    @unittest.skipUnless(can_count(), "instructions are counted with valgrind, on a processor with AVX2")
    def test_those_that_are_counted_are_those_that_are_kept(self):
        found = counted(pathlib.Path(os.environ["LIPIZZ_BUILD"]) / "bin" / "bench_instructions")
        kept = json.loads(KEPT.read_text())
        self.assertEqual(sorted(found), ["fitness", "scoring", "step"])
        self.assertEqual(differences(found, kept), [])

    def test_more_and_fewer_are_told(self):
        kept = {"step": 1000, "scoring": 1000}
        self.assertEqual(differences({"step": 1049, "scoring": 951}, kept), [])
        self.assertEqual(len(differences({"step": 1051, "scoring": 949}, kept)), 2)
        self.assertIn("grown", differences({"step": 1060, "scoring": 1000}, kept)[0])
        self.assertIn("shrunk", differences({"step": 1000, "scoring": 900}, kept)[0])

    def test_what_only_one_side_knows_is_told(self):
        self.assertEqual(differences({"step": 1}, {"scoring": 1}), ["scoring: only kept", "step: only found"])


if __name__ == "__main__":
    unittest.main()
