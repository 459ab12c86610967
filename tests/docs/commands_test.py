"""The commands that the documents show work as they stand: for somebody who is not root, has nothing in the
environment, and has just built or installed the program.

Every line of a block marked `sh` is run, trainings with tiny settings or as dry runs; NOT_RUN says which are not, and
why. The options of all commands, those in running text too, are known to the program. LIPIZZ_BUILD names the folder
that it was built in, LIPIZZ_MPIRUN the launcher.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))
import own_files
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TIMEOUT_S = 120  # a safety net

# What a line contains, and why it is not run; its options are checked all the same.
NOT_RUN = {
    "scripts/quickstart.sh": "installs and builds; what follows is test_quickstart",
    "scripts/test.sh": "runs this test",
    "ctest": "runs this test",
    "cmake": "builds; what it installs is all that is run here",
    "lipizz tune": "measures for a minute or more; tests/app/tune_test.cpp",
    "--device cuda": "needs a GPU",
    "gpu-check.sh": "needs CUDA, or a GPU; tests/system/gpu_check_test.py plays both",
    "--data-dir data": "needs data that are downloaded first",
    "#PBS": "needs PBS; its syntax is checked",
    "#$": "needs Grid Engine; its syntax is checked",
}

FEW = ["--generations", "1", "--set", "data.max_samples=200"]
TINY = [*FEW, "--dataset", "ring8", "--set", "fitness.n_samples=20", "--set", "score.n_samples=50",
        "--set", "score.n_samples_training=50"]

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
PROGRAM = re.compile(r"(?:^|\s)(?:\S*/)?lipizz((?:\s+[^|>#&;]*)?)")
A_COMMAND = re.compile(r"\s*(mpirun|lipizz|\S+/lipizz|scripts/|ctest|cmake)\b")


def blocks(document):
    """(language, text) of the fenced blocks."""
    return BLOCK.findall(document.read_text(encoding="utf-8"))


def commands(block):
    """A job script is one command, else every line is one. Comments are left to the shell."""
    if block.startswith(("#PBS", "#$")):
        return [block]
    return [line for line in block.splitlines() if line.strip()]


def shown_commands():
    return [command for document in DOCUMENTS for language, block in blocks(document) if language == "sh"
            for command in commands(block)]


def spans(document):
    """What stands in running text as code, a line break in it as a space."""
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    return [" ".join(span.split()) for span in SPAN.findall(text)]


def without_comment(command):
    return re.sub(r"\s+#.*", "", command)


def reason_not_to_run(command):
    return next((why for what, why in NOT_RUN.items() if what in command), None)


class Commands(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        """A source tree with a build in it, which belongs to nobody in particular."""
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.tree, cls.installed = cls.folder / "tree", cls.folder / "installed"
        subprocess.run(["cmake", "--install", os.environ["LIPIZZ_BUILD"], "--prefix", cls.installed, "--strip"],
                       check=True, stdout=subprocess.DEVNULL)
        (cls.tree / "build/release/bin").mkdir(parents=True)
        os.link(cls.installed / "bin/lipizz", cls.tree / "build/release/bin/lipizz")
        for name in ("configs", "scripts"):
            shutil.copytree(ROOT / name, cls.tree / name)
        own_files.put_shapes(cls.tree / "my-pictures", 120)
        for name in ("real.npy", "generated.npy"):
            own_files.put_features(cls.tree / name, 40, 8)
        (cls.folder / "home").mkdir()
        (cls.folder / "stubs").mkdir()
        if os.geteuid() == 0:
            cls.user = {"user": 65534, "group": 65534, "extra_groups": []}
            for path in (cls.folder, *cls.folder.rglob("*")):
                os.chown(path, 65534, 65534)
        else:
            cls.user = {}

    def path(self):
        mpirun = pathlib.Path(os.environ["LIPIZZ_MPIRUN"]).parent
        return f"{self.folder / 'stubs'}:{self.installed / 'bin'}:{mpirun}:/usr/bin:/bin"

    def run_shell(self, command, user=None, **environment):
        """The exit code and the output of a command in the tree."""
        ran = subprocess.run(["bash", "-c", command], cwd=self.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S,
                             env={"PATH": self.path(), "HOME": str(self.folder / "home"), **environment},
                             **(self.user if user is None else user))
        return ran.returncode, ran.stdout

    def assert_works(self, command, **more):
        exit_code, output = self.run_shell(command, **more)
        self.assertEqual(exit_code, 0, f"{command}\n{output}")
        return output

    def stub(self, name, script):
        file = self.folder / "stubs" / name
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)
        self.addCleanup(file.unlink)

    def runs(self):
        """Their folders, among which those of sweeps lie."""
        return [folder for folder in (self.tree / "runs").iterdir() if (folder / "config.json").exists()]

    def with_tiny_settings(self, command):
        """As it stands but for `runs/...`, the newest run, and with what makes a training short."""
        command = without_comment(command)
        if "runs/..." in command:
            return command.replace("runs/...", str(max(self.runs(), key=os.path.getmtime)))
        if "lipizz sweep" in command:
            return command.replace("configs/sweeps/ring8-rates.json", str(self.tiny_sweep()))
        if "lipizz launch" in command:
            return shlex.join([*shlex.split(command), *TINY])
        if "--grid" in command and "lipizz doctor" not in command:
            return shlex.join([*shlex.split(command), *FEW, *([] if "--dry-run" in command else ["--dry-run"])])
        return command

    def tiny_sweep(self):
        """The sweep that is shown, over two losses, so short that it is no training."""
        sweep = json.loads((ROOT / "configs/sweeps/ring8-rates.json").read_text(encoding="utf-8"))
        sweep["base"] = {"data": {"dataset": "ring8", "max_samples": 200}, "generations": 1}
        sweep["settings"] = {"fitness": {"n_samples": 20}, "score": {"n_samples": 50, "n_samples_training": 50}}
        file = self.tree / "tiny-sweep.json"
        file.write_text(json.dumps({**sweep, "axes": sweep["axes"][1:], "seeds": 1}), encoding="utf-8")
        return file

    def test_lines_run(self):
        for command in shown_commands():
            if reason_not_to_run(command) is None:
                with self.subTest(command=command):
                    self.assert_works(self.with_tiny_settings(command))

    def test_every_reason_is_needed(self):
        for what in NOT_RUN:
            self.assertTrue(any(what in command for command in shown_commands()), f"no line has {what}")

    def test_scripts_have_a_syntax(self):
        for command in shown_commands():
            self.assert_works(f"bash -n -c {shlex.quote(command)}")

    def test_commands_stand_in_blocks_that_are_run(self):
        for document in DOCUMENTS:
            text = document.read_text(encoding="utf-8")
            indented = re.findall(r"(?<=\n\n)    .*", BLOCK.sub("", text))
            fenced = [line for language, block in blocks(document) if language != "sh" for line in block.splitlines()]
            for line in (*indented, *fenced):
                self.assertIsNone(A_COMMAND.match(line), f"{document}: not in a block marked sh: {line}")

    def test_options_and_words_are_known(self):
        help_text = self.assert_works("lipizz --help")
        options = set(re.findall(r"(?<!\w)--?\w[\w-]*", help_text))
        words = set(re.findall(r"^  (\w+)", self.run_shell("lipizz")[1].partition("Commands:")[2], re.MULTILINE))
        in_text = [span for document in DOCUMENTS for span in spans(document) if re.match(r"(\S*/)?(lipizz|mpirun)\s", span)]
        self.assertGreater(len(in_text), 20)
        for command in (*shown_commands(), *in_text):
            for line in command.splitlines():
                for arguments in PROGRAM.findall(without_comment(line)):
                    ours = arguments.partition(" -- ")[0].split()
                    for word in ours:
                        if word.startswith("-") and word.strip("-.[]()"):
                            self.assertIn(word.partition("=")[0], options, command)
                    if command not in in_text and ours and re.fullmatch(r"[a-z]+", ours[0]):
                        self.assertIn(ours[0], words, command)

    def test_files_and_presets_are_there(self):
        presets = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
        for command in shown_commands():
            for file in re.findall(r"\b(?:scripts|configs)/[\w./-]+", command):
                self.assertTrue((ROOT / file).exists(), command)
            for preset in re.findall(r"--preset (\w+)", command):
                self.assertIn(f'"{preset}"', presets, command)

    def test_quickstart(self):
        for tool in ("cmake", "apt-get", "sudo"):
            self.stub(tool, "exit 0")
        self.stub("dpkg-query", "for package; do printf 'installed %s\\n' \"$package\"; done")
        output = self.assert_works(f"scripts/quickstart.sh --grid 1x2 {shlex.join(TINY)}")
        sheet, = re.findall(r"^samples: (.*/samples/best\.png)$", output, re.MULTILINE)
        self.assertTrue(pathlib.Path(sheet).exists(), output)
        run, = re.findall(r"^run: +(.*)$", output, re.MULTILINE)
        self.assertTrue((pathlib.Path(run) / "result.json").exists(), output)

    def test_root_needs_no_more_to_launch(self):
        if os.geteuid() != 0:
            self.skipTest("only root can try")
        self.assert_works(f"lipizz launch --grid 1x1 {shlex.join(TINY)} --output as-root", user={})

    def test_an_installed_program_finds_its_experiments(self):
        listed = self.assert_works("cd / && lipizz list configs")
        self.assertEqual(listed.split("\n")[0].split()[0], "biggan-cifar10")
        for name in ("mustangs-mnist", "mustangs-mnist.json", "configs/mustangs-mnist.json"):
            self.assertIn('"mnist"', self.assert_works(f"cd / && lipizz config print --config {name} --data-dir /"))
        self.assertTrue((self.installed / "share/doc/lipizz/LICENSE").exists())
        self.assertTrue((self.installed / "share/lipizz/slurm/job.sbatch").exists())


class SlurmTemplates(unittest.TestCase):
    """With a `lipizz` that only says what it is asked for."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="lipizz-docs-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.requeued = self.folder / "requeued"
        self.write_program("lipizz", 'echo "$@"; exit ${CODE:-0}')
        self.write_program("scontrol", f'echo "$@" > {self.requeued}')

    def write_program(self, name, script):
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    def submit(self, template, *arguments, **environment):
        job = {"SLURM_JOB_NAME": "lipizz", "SLURM_JOB_ID": "7", "SLURM_ARRAY_JOB_ID": "6", "SLURM_ARRAY_TASK_ID": "3"}
        return subprocess.run(["bash", ROOT / "scripts/slurm" / template, *arguments], cwd=self.folder, text=True,
                              env={"PATH": f"{self.folder}:/usr/bin:/bin", **job, **environment},
                              stdout=subprocess.PIPE, timeout=TIMEOUT_S)

    def begin(self, run):
        run.mkdir(parents=True)
        (run / "config.json").touch()

    def test_a_job_that_is_started_again_goes_on(self):
        for template in ("job.sbatch", "requeue.sbatch"):
            run = self.folder / "runs/lipizz-7"
            self.assertEqual(self.submit(template, "--grid", "2x2").stdout, f"launch --grid 2x2 --output {run}\n")
            self.begin(run)
            self.assertEqual(self.submit(template, "--grid", "2x2", LIPIZZ_LAUNCH_OPTIONS="--spares 1").stdout,
                             f"launch --spares 1 --resume {run}\n")
            shutil.rmtree(run)

    def test_a_task_of_an_array_that_is_started_again_goes_on(self):
        run = self.folder / "runs/lipizz-6-seed-3"
        self.assertEqual(self.submit("array.sbatch").stdout, f"launch --seed 3 --output {run}\n")
        self.begin(run)
        self.assertEqual(self.submit("array.sbatch").stdout, f"launch --resume {run}\n")

    def test_a_stopped_run_goes_back_to_the_queue_where_that_is_wanted(self):
        self.assertEqual(self.submit("job.sbatch", CODE="75").returncode, 75)
        self.assertFalse(self.requeued.exists())
        self.assertEqual(self.submit("requeue.sbatch").returncode, 0)
        self.assertFalse(self.requeued.exists())
        self.assertEqual(self.submit("requeue.sbatch", CODE="75").returncode, 75)
        self.assertEqual(self.requeued.read_text(encoding="utf-8"), "requeue 7\n")


if __name__ == "__main__":
    unittest.main()
