"""What a run writes for TensorBoard, whoever reads it: every scalar against metrics.jsonl, pictures against their files,
histograms against the sizes of tensors."""

import json
import math
import re

from launch import POINTS, SystemTest, in_process

GENERATIONS = 4
CELLS = 4
TRAINED = re.compile(r"(generator|discriminator)\.\d+\.(weight|bias)")


def figures_of(line):
    """The scalars of a cell's line of metrics, by tags."""
    weights = [weight for _, weight in line["mixture"] if weight > 0]
    told = {"score": line["score"], "mixture/entropy": -sum(weight * math.log(weight) for weight in weights)}
    for network in ("generator", "discriminator"):
        told.update({f"{network}/{name}": line[network][name] for name in ("loss", "rate")})
    for group in ("details", "seconds"):
        told.update({f"{group}/{name}": value for name, value in line.get(group, {}).items()})
    return {tag: value for tag, value in told.items() if value is not None}


class WrittenEvents(SystemTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"

    def read(self, folders):
        """Of each of TensorBoard's runs its scalars, images and histograms, each by tags and steps."""
        raise NotImplementedError

    def trains(self, *arguments):
        finished = self.run_to_end(in_process("--quiet", *arguments))
        self.assertEqual(finished.exit_code, 0, finished.output)

    def finished_run(self):
        self.trains("--grid", "2x2", "--generations", GENERATIONS, *POINTS, "--set", "tensorboard=true",
                    "--set", "checkpoint.every=1", "--output", self.run_folder)

    def goes_back_and_on(self):
        """Of a finished run, the last generation is trained again after an event was written by half."""
        (self.run_folder / "result.json").unlink()
        for path in (self.run_folder / "checkpoints" / f"generation-{GENERATIONS:06}").iterdir():
            path.write_bytes(b"damaged")
        for folder in ("grid", "cell-0-1"):
            (path,) = (self.run_folder / "tensorboard" / folder).iterdir()
            path.write_bytes(path.read_bytes()[:-5])
        self.trains("--resume", self.run_folder)

    def expected_scalars(self):
        """By TensorBoard's runs and tags, the value of each step."""
        lines = [json.loads(line) for line in (self.run_folder / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), CELLS * GENERATIONS)
        runs = {}
        by_generation = {}
        for line in lines:
            for tag, value in figures_of(line).items():
                runs.setdefault(f"cell-{line['row']}-{line['col']}", {}).setdefault(tag, {})[line["generation"]] = value
                by_generation.setdefault(tag, {}).setdefault(line["generation"], []).append(value)
        grid = {tag: {step: sum(values) / len(values) for step, values in steps.items()}
                for tag, steps in by_generation.items()}
        scores = by_generation["score"]
        grid["score/mean"] = grid["score"]
        grid["score"] = {step: min(values) for step, values in scores.items()}
        grid["score/worst"] = {step: max(values) for step, values in scores.items()}
        runs["grid"] = grid
        return runs

    def assert_scalars(self, told):
        """told: by runs, tags and steps."""
        expected = self.expected_scalars()
        floor = told.pop("floor")
        self.assertEqual(set(floor), {"score"})
        self.assertEqual(set(floor["score"]), set(range(1, GENERATIONS + 1)))
        self.assertEqual(len(set(floor["score"].values())), 1)
        self.assertEqual(set(told), set(expected))
        for run, tags in expected.items():
            self.assertEqual(set(told[run]), set(tags), run)
            for tag, steps in tags.items():
                self.assertEqual(set(told[run][tag]), set(steps), (run, tag))
                for step, value in steps.items():
                    # They are stored in single precision.
                    self.assertTrue(math.isclose(told[run][tag][step], value, rel_tol=2e-7, abs_tol=1e-30),
                                    (run, tag, step, told[run][tag][step], value))

    def assert_images(self, images):
        """images: of the grid, PNG bytes by tags and steps."""
        samples = self.run_folder / "samples"
        drawn = {int(path.stem.removeprefix("best-gen")): path.read_bytes() for path in samples.glob("best-gen*.png")}
        self.assertGreater(len(drawn), 0)
        self.assertEqual(images["samples/best"], drawn)
        self.assertEqual(images["samples/final"], {GENERATIONS: (samples / "best.png").read_bytes()})
        self.assertEqual(images["samples/grid"], {GENERATIONS: (samples / "grid.png").read_bytes()})
        self.assertEqual(len(images), 3)

    def assert_histograms(self, histograms, steps_of_pictures):
        """histograms: of the grid, `num` and `counts` by tags and steps."""
        scores = histograms.pop("cells/score")
        self.assertEqual(set(scores), set(range(1, GENERATIONS + 1)))
        self.assertEqual({told["num"] for told in scores.values()}, {CELLS})
        for tag, sizes in self.sizes_of_tensors().items():
            told = histograms.pop(tag)
            self.assertEqual(set(told), set(steps_of_pictures), tag)
            for each in told.values():
                self.assertEqual((each["num"], sum(each["counts"])), (sizes, sizes), tag)
        self.assertEqual(histograms, {})

    def sizes_of_tensors(self):
        """Elements of each tensor that is trained, by the header of a cell's file."""
        data = (self.run_folder / "checkpoints" / f"generation-{GENERATIONS:06}" / "cell-0000.safetensors").read_bytes()
        header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
        return {name.replace(".", "/", 1): math.prod(about["shape"]) for name, about in header.items()
                if TRAINED.fullmatch(name)}

    def assert_told(self, n_files):
        folders = {path.name: path for path in (self.run_folder / "tensorboard").iterdir()}
        self.assertEqual({len(list(path.iterdir())) for path in folders.values()}, {n_files})
        told = self.read(folders)
        self.assert_scalars({run: scalars for run, (scalars, _, _) in told.items()})
        _, images, histograms = told["grid"]
        self.assert_images(images)
        self.assert_histograms(histograms, images["samples/best"])

    def test_tells_what_the_metrics_tell(self):
        self.finished_run()
        self.assert_told(n_files=1)

    def test_a_resume_goes_on_in_files_of_its_own(self):
        self.finished_run()
        self.goes_back_and_on()
        self.assert_told(n_files=2)
