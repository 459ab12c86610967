"""`lipizz evaluate`: one score for the same samples whatever they are kept as, by numpy's figures, without a network."""

import gzip
import json
import os
import pathlib
import shutil
import struct
import unittest
import zlib

import numpy as np
import own_files
from launch import SIZES, SMALL, SystemTest, in_process, losses

DATA, USAGE = 4, 2


def read_idx(path):
    """The bytes of a file of MNIST's."""
    content = gzip.decompress(path.read_bytes())
    shape = struct.unpack(f">{content[3]}I", content[4:4 + 4 * content[3]])
    return np.frombuffer(content, np.uint8, offset=4 + 4 * content[3]).reshape(shape)


def write_png(path, image):
    """image: [height, width] or [height, width, 3], bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.tobytes() for row in image)
    header = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 0 if image.ndim == 2 else 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
                     chunk(b"IEND", b""))


class EvaluateTest(SystemTest):
    def output(self, *arguments, exit_code=0):
        finished = self.run_to_end(in_process("evaluate", *arguments))
        self.assertEqual(finished.exit_code, exit_code, finished.output)
        return finished.output

    def scores(self, *arguments):
        """Each score by its name; the rest of the object under its keys."""
        output = self.output(*arguments, "--json")
        found = json.loads(output[output.index("{"):])
        return {score["name"]: score for score in found["scores"]}, found

    def save(self, name, array):
        np.save(self.folder / name, array)
        return self.folder / name


# What the documents say, in numpy alone.

def frechet(a, b):
    root_values, vectors = np.linalg.eigh(np.cov(a.T))
    root = vectors * np.sqrt(np.maximum(root_values, 0)) @ vectors.T
    cross = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ np.cov(b.T) @ root), 0)).sum()
    return ((a.mean(0) - b.mean(0)) ** 2).sum() + np.trace(np.cov(a.T)) + np.trace(np.cov(b.T)) - 2 * cross


def kernel(a, b):
    n = min(len(a), len(b))
    n_blocks = max(-(-n // 1000), min(max(n // 20, 1), 10))
    values = []
    for i in range(n_blocks):
        rows = slice(i * n // n_blocks, (i + 1) * n // n_blocks)
        x, y = a[rows], b[rows]
        m = len(x)
        xx, yy, xy = (((p @ q.T) / a.shape[1] + 1) ** 3 for p, q in ((x, x), (y, y), (x, y)))
        values.append((xx.sum() - np.trace(xx) + yy.sum() - np.trace(yy)) / (m * (m - 1)) - 2 * xy.mean())
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(n_blocks)


def distances(a, b):
    return np.stack([np.sqrt(((row - b) ** 2).sum(1)) for row in a])


def manifold(a, b, k=5):
    radii = [np.sort(distances(x, x), axis=1)[:, k] for x in (a, b)]
    between = distances(a, b)
    in_real = between < radii[0][:, None]
    return {"precision": in_real.any(0).mean(), "recall": (between < radii[1]).any(1).mean(),
            "density": in_real.sum() / k / len(b), "coverage": (between.min(1) < radii[0]).mean()}


class Evaluate(EvaluateTest):
    def test_features_have_numpy_s_figures(self):
        random = np.random.default_rng(1)
        for n, m, d in ((1500, 1200, 12), (30, 40, 50)):
            with self.subTest(n=n, m=m, d=d):
                real = random.normal(size=(n, d)).astype(np.float32)
                made = (1.2 * random.normal(size=(m, d)) + 0.2).astype(np.float32)
                found, whole = self.scores("--features", self.save("real.npy", real), self.save("made.npy", made))
                real, made = real.astype(np.float64), made.astype(np.float64)
                expected = {"frechet": frechet(real, made), "kernel": kernel(real, made)[0], **manifold(real, made)}
                self.assertEqual(list(found), list(expected))
                for name, value in expected.items():
                    self.assertAlmostEqual(found[name]["value"], value, delta=1e-6 * max(1, abs(value)), msg=name)
                    self.assertIsNone(found[name]["floor"])
                if n > 40:
                    self.assertAlmostEqual(found["kernel"]["error"], kernel(real, made)[1], delta=1e-6)
                self.assertIsNone(whole["judge"])

    def test_noise_is_a_hundred_times_worse_than_the_floor_and_twice_the_same(self):
        noise = np.random.default_rng(2).integers(0, 256, (500, 28, 28), np.uint8)
        arguments = ("--dataset", "glyphs", "--samples", self.save("noise.npy", noise))
        found, _ = self.scores(*arguments)
        self.assertGreater(found["frechet"]["value"], 100 * found["frechet"]["floor"])
        self.assertGreater(found["kernel"]["value"], 100 * abs(found["kernel"]["floor"]))
        self.assertLess(found["coverage"]["value"], 0.1)
        self.assertEqual(self.output(*arguments), self.output(*arguments))

    def test_arrays_and_folders_have_one_score(self):
        images = np.random.default_rng(3).integers(0, 256, (60, 28, 28), np.uint8)
        (self.folder / "grey").mkdir()
        (self.folder / "colour").mkdir()
        for number, image in enumerate(images):
            write_png(self.folder / "grey" / f"{number:03}.png", image)
            write_png(self.folder / "colour" / f"{number:03}.png", np.repeat(image[:, :, None], 3, 2))
        floats = images.astype(np.float32) / 255
        kept = ((self.save("bytes.npy", images),), (self.save("rows.npy", images[..., None]),),
                (self.save("unit.npy", floats), "--range", "0..1"),
                (self.save("wide.npy", 2 * floats.astype(np.float64) - 1), "--range=-1..1"),
                (self.folder / "grey",), (self.folder / "colour",))
        all_scores = [self.scores("--dataset", "glyphs", "--samples", *arguments)[0] for arguments in kept]
        for scores in all_scores[1:]:
            self.assertEqual(scores, all_scores[0])
        first = self.scores("--dataset", "glyphs", "--samples", kept[0][0], "--number", "30")[1]
        self.assertEqual((first["samples"], first["floor_samples"]), (30, 30))

    def test_real_digits_are_their_own_floor_and_blobs_are_none(self):
        folder = pathlib.Path(os.environ.get("LIPIZZ_DATA_DIR", "")) / "mnist"
        if not (folder / "t10k-images-idx3-ubyte.gz").is_file():
            self.skipTest("LIPIZZ_DATA_DIR has no mnist/")
        digits = read_idx(folder / "t10k-images-idx3-ubyte.gz")[:1000]
        real, whole = self.scores("--dataset", "mnist", "--samples", self.save("digits.npy", digits))
        self.assertEqual(whole["floor_samples"], 1000)
        for score in real.values():
            self.assertEqual(score["value"], score["floor"], score["name"])
        flat = read_idx(folder / "train-images-idx3-ubyte.gz")[:5000].reshape(5000, -1).astype(np.float64)
        blobs = np.random.default_rng(4).multivariate_normal(flat.mean(0), np.cov(flat.T), 1000)
        blobs = np.clip(np.rint(blobs), 0, 255).astype(np.uint8).reshape(-1, 28, 28)
        bad, _ = self.scores("--dataset", "mnist", "--samples", self.save("blobs.npy", blobs))
        self.assertGreater(bad["frechet"]["value"], 10 * bad["frechet"]["floor"])
        self.assertLess(bad["coverage"]["value"], 0.5 * bad["coverage"]["floor"])

    def test_a_run_has_the_score_of_what_it_generates(self):
        run = self.folder / "run"
        finished = self.run_to_end(in_process("--grid", "1x2", "--generations", "1", "--quiet", *SMALL, "--output", run))
        self.assertEqual(finished.exit_code, 0, finished.output)
        asked = ("--number", "60", "--seed", "7")
        for output in ("made.npy", "images"):
            finished = self.run_to_end(in_process("generate", run, *asked, "--output", self.folder / output))
            self.assertEqual(finished.exit_code, 0, finished.output)
        expected, whole = self.scores(run, *asked)
        self.assertEqual(whole["judge"], json.loads((run / "result.json").read_text(encoding="utf-8"))["score"]["judge"])
        for output in ("made.npy", "images"):
            found, files = self.scores("--dataset", "glyphs", "--samples", self.folder / output)
            self.assertEqual(found, expected, output)
            self.assertEqual(files["samples"], 60)
        other, _ = self.scores(run, "--number", "60", "--seed", "8")
        self.assertNotEqual(other, expected)
        best, of_best = self.scores(run, *asked, "--best")  # whose weights were found on other samples
        self.assertEqual(set(best), set(expected))
        self.assertEqual(of_best["judge"], whole["judge"])

    def test_of_pairs_the_test_part_has_two(self):
        own_files.put_pairs(self.folder / "pairs", 8, 32)  # of which a tenth is one
        run = self.folder / "run"
        finished = self.run_to_end(in_process(
            *SIZES, *losses("pix2pix"), "--grid", "1x2", "--generations", 1, "--quiet", "--set", "data.batch_size=5",
            "--dataset", "pairs", "--data-path", self.folder / "pairs", "--set", "data.channels=1",
            "--set", "model=pix2pix32", "--output", run))
        self.assertEqual(finished.exit_code, 0, finished.output)
        output = self.output(run, exit_code=DATA)
        self.assertIn("expected at least 2 pairs in the test part of pairs", output)
        self.assertIn("found 1", output)

    def test_what_makes_no_sense_gets_one_message(self):
        bytes_file = self.save("bytes.npy", np.zeros((4, 28, 28), np.uint8))
        floats = self.save("floats.npy", np.zeros((4, 28, 28), np.float32))
        wide = self.save("wide.npy", np.zeros((4, 32, 32), np.uint8))
        features = self.save("features.npy", np.zeros((9, 3), np.float32))
        other = self.save("other.npy", np.zeros((9, 4), np.float32))
        glyphs = ("--dataset", "glyphs", "--samples")
        for arguments, exit_code, words in (
                ((), USAGE, ("expected RUN",)),
                ((*glyphs, floats), USAGE, ("floats.npy", "--range 0..1")),
                ((*glyphs, bytes_file, "--range", "0..1"), USAGE, ("bytes.npy", "leave --range out")),
                ((*glyphs, bytes_file, "--number", "5"), DATA, ("bytes.npy", "expected 5", "found 4")),
                ((*glyphs, bytes_file, "--number", "1"), USAGE, ("--number", "from 2 on")),
                ((*glyphs, wide), DATA, ("wide.npy", "(4, 28, 28, 1)", "(4, 32, 32)")),
                ((*glyphs, self.folder / "nowhere"), DATA, ("nowhere",)),
                ((*glyphs, bytes_file, "--seed", "1"), USAGE, ("--seed does not go with --samples",)),
                ((*glyphs, bytes_file, "--set", "numerics=avx2"), USAGE, ("--set does not go with --samples",)),
                (("--samples", bytes_file), USAGE, ("--dataset",)),
                ((self.folder,), USAGE, ("expected the folder of a run",)),
                (("--features", features), USAGE, ("two files",)),
                (("--features", features, other), DATA, ("other.npy", "expected 3 values")),
                (("--features", features, bytes_file), DATA, ("bytes.npy", "expected features"))):
            with self.subTest(arguments=arguments):
                output = self.output(*arguments, exit_code=exit_code)
                for word in words:
                    self.assertIn(word, output)
                self.assertEqual(output.count("\n"), 1, output)

    def test_no_socket_is_opened(self):
        strace = shutil.which("strace")
        if strace is None:
            self.skipTest("there is no strace")
        noise = self.save("noise.npy", np.random.default_rng(5).integers(0, 256, (50, 28, 28), np.uint8))
        trace = self.folder / "trace"
        finished = self.run_to_end([strace, "-f", "-e", "trace=%network", "-o", trace,
                                    *in_process("evaluate", "--dataset", "glyphs", "--samples", noise)])
        if finished.exit_code != 0 and "ptrace" in finished.output:
            self.skipTest("strace may not trace here")
        self.assertEqual(finished.exit_code, 0, finished.output)
        calls = [line for line in trace.read_text().splitlines() if "+++" not in line]
        self.assertEqual(calls, [])


if __name__ == "__main__":
    unittest.main()
