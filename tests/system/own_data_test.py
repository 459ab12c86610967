"""Files of one's own are learnt from, to the same bits on threads and ranks, kept in memory or streamed."""

import json
import unittest

import own_files
from launch import SIZES, SystemTest, in_process, on_ranks

FEW = [*SIZES, "--grid", "2x2", "--generations", 2, "--set", "data.batch_size=20"]


class OwnData(SystemTest):
    def fingerprint(self, command):
        return self.result_of(command)["fingerprint"]

    def assert_one_answer(self, dataset, path, *settings):
        arguments = [*FEW, "--dataset", dataset, "--data-path", path, *settings]
        expected = self.fingerprint(in_process(*arguments))
        self.assertEqual(self.fingerprint(on_ranks(5, *arguments)), expected, "5 ranks")
        return arguments, expected

    def test_a_folder_of_images(self):
        own_files.put_shapes(self.folder / "shapes", 90)
        small = ["--set", "data.size=16", "--set", "model=dcgan", "--set", "score.metric=blocks"]
        arguments, kept = self.assert_one_answer("image-folder", self.folder / "shapes", *small)
        streamed = [*arguments, "--set", "data.memory_gb=0", "--set", "data.readers=3"]
        self.assertEqual(self.fingerprint(on_ranks(3, *streamed)), kept, "streamed")
        run = self.folder / "run"
        ended = self.run_to_end(in_process(*arguments, "--output", run))
        self.assertEqual(ended.exit_code, 0, ended.output)
        data = json.loads((run / "config.json").read_text(encoding="utf-8"))["data"]
        self.assertEqual((data["shape"], data["classes"]), ("16x16x3", 3))
        log = (run / "run.log").read_text(encoding="utf-8")
        self.assertIn("3 classes: angular/cross, angular/square, round/disc", log)
        self.assertIn("1 other file, not used: README.txt", log)

    def test_classes_of_folders_can_be_told(self):
        own_files.put_shapes(self.folder / "shapes", 60)
        self.assert_one_answer("image-folder", self.folder / "shapes", "--set", "data.size=16", "--set",
                               "class_conditional=true", "--set", "score.metric=blocks", "--set", "model=mlp")

    def test_pairs(self):
        own_files.put_pairs(self.folder / "pairs", 24, 32)
        self.assert_one_answer("pairs", self.folder / "pairs", "--set", "data.channels=1", "--set", "model=pix2pix32",
                               *(word for who in ("generator", "discriminator", "fitness")
                                 for word in ("--set", f"{who}.loss=pix2pix")))

    def test_arrays_and_points(self):
        own_files.put_all(self.folder, 60)
        _, of_bytes = self.assert_one_answer("npy", self.folder / "images.npy", "--set", "model=mlp")
        floats = ["--dataset", "npy", "--data-path", self.folder / "floats.npy", "--set", "data.range=0..1"]
        self.assertEqual(self.fingerprint(in_process(*FEW, *floats, "--set", "model=mlp")), of_bytes,
                         "the same pictures as floats")
        self.assert_one_answer("npy", self.folder / "vectors.npy")
        self.assert_one_answer("csv", self.folder / "points.csv")

    def test_what_cannot_be_learnt_from_is_named(self):
        own_files.put_shapes(self.folder / "shapes", 12)
        (self.folder / "shapes" / "round" / "broken.png").write_text("text", encoding="utf-8")
        (self.folder / "empty").mkdir()
        (self.folder / "words.csv").write_text("1,2\n3,four\n", encoding="utf-8")
        for dataset, path, code, *words in (
                ("image-folder", "shapes", 4, "shapes/round/broken.png"),
                ("image-folder", "empty", 4, "expected a folder with pictures"),
                ("npy", "shapes/README.txt", 4, "README.txt"),
                ("csv", "words.csv", 4, "words.csv:2: expected"),
                ("mnist", "shapes", 2, "data.path: the dataset mnist does not read it")):
            command = [*FEW, "--dataset", dataset, "--data-path", self.folder / path]
            for ended in (self.run_to_end(in_process(*command)), self.run_to_end(on_ranks(3, *command))):
                self.assertEqual(ended.exit_code, code, ended.output)
                for word in words:
                    self.assertIn(word, ended.output)
        ended = self.run_to_end(in_process(*FEW, "--dataset", "npy"))
        self.assertEqual(ended.exit_code, 2)
        self.assertIn("--data-path", ended.output)


if __name__ == "__main__":
    unittest.main()
