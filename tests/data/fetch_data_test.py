"""Runs scripts/fetch-data.sh on file:// addresses."""

import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fetch-data.sh"
FILES = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
         "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}
DATA = pathlib.Path(os.environ.get("LIPIZZ_DATA_DIR", ""))
REAL = DATA / "mnist"


@unittest.skipUnless(shutil.which("curl"), "wget knows no file:// addresses and curl is missing")
class FetchData(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="lipizz-fetch-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def fetch(self, *arguments, source="/nowhere"):
        environment = {**os.environ, **{f"{name}_URL": f"file://{source}" for name in
                                        ("MNIST", "FASHION_MNIST", "CIFAR10", "FACADES")}}
        environment.pop("LIPIZZ_DATA_DIR", None)
        return subprocess.run([SCRIPT, *arguments], env=environment, text=True, timeout=50,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_a_file_with_another_sum_is_refused_and_leaves_nothing(self):
        source = self.folder / "source"
        source.mkdir()
        for name in FILES:
            (source / name).write_bytes(b"not what it should be")
        result = self.fetch(self.folder / "data", source=source)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "train-images.*expected SHA-256 440fcabf.*, found [0-9a-f]{64}$")
        self.assertEqual(list((self.folder / "data" / "mnist").iterdir()), [])

    def test_a_missing_file_is_named_and_leaves_nothing(self):
        result = self.fetch(self.folder / "data", "fashion-mnist")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot download file:///nowhere/train-images-idx3-ubyte.gz", result.stderr)
        self.assertEqual(list((self.folder / "data" / "fashion-mnist").iterdir()), [])
        self.assertFalse((self.folder / "data" / "mnist").exists())

    def test_what_is_asked_for_must_exist(self):
        result = self.fetch(self.folder, "mnist", "emnist")
        self.assertEqual(result.returncode, 2)
        self.assertIn("emnist", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_usage_is_shown_to_who_asks_and_to_who_says_nothing(self):
        for option in ("-h", "--help"):
            result = self.fetch(option)
            self.assertEqual(result.returncode, 0)
            self.assertIn("scripts/fetch-data.sh FOLDER [mnist]", result.stdout)
            self.assertEqual(result.stderr, "")
        result = self.fetch()
        self.assertEqual(result.returncode, 2)
        self.assertIn("scripts/fetch-data.sh FOLDER [mnist]", result.stderr)
        self.assertIn("name the folder to download into", result.stderr)
        self.assertIn("there is no option --force", self.fetch("--force").stderr)

    def test_without_a_tool_to_download_with_its_package_is_named(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ("bash", "dirname", "basename", "mkdir", "rm", "sha256sum", "cut"):
            (tools / tool).symlink_to(shutil.which(tool))
        result = subprocess.run(["bash", SCRIPT, self.folder / "data", "mnist"], env={"PATH": str(tools)},
                                text=True, timeout=50, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install curl", result.stderr)

    @unittest.skipUnless(REAL.is_dir(), "LIPIZZ_DATA_DIR names no folder with mnist/")
    def test_right_files_arrive_and_are_kept_and_a_wrong_one_is_replaced(self):
        target = self.folder / "data" / "mnist"
        self.assertEqual(self.fetch(self.folder / "data", "mnist", source=REAL.resolve()).returncode, 0)
        self.assertEqual({path.name for path in target.iterdir()}, FILES)
        self.assertEqual((target / "t10k-labels-idx1-ubyte.gz").read_bytes(),
                         (REAL / "t10k-labels-idx1-ubyte.gz").read_bytes())

        again = self.fetch(self.folder / "data", "mnist")
        self.assertEqual(again.returncode, 0, again.stderr)

        (target / "t10k-labels-idx1-ubyte.gz").write_bytes(b"cut")
        self.assertEqual(self.fetch(self.folder / "data", "mnist").returncode, 2)
        self.assertEqual(self.fetch(self.folder / "data", "mnist", source=REAL.resolve()).returncode, 0)
        self.assertEqual((target / "t10k-labels-idx1-ubyte.gz").read_bytes(),
                         (REAL / "t10k-labels-idx1-ubyte.gz").read_bytes())

    def archive(self, name, folder):
        path = self.folder / f"{name}.tar.gz"
        with tarfile.open(path, "w:gz", compresslevel=1) as tar:
            tar.add(folder, arcname=name)
        return path

    def test_an_archive_with_other_content_is_refused_and_leaves_nothing(self):
        source = self.folder / "source"
        source.mkdir()
        (source / "data_batch_1.bin").write_bytes(b"not what it should be")
        for dataset in ("cifar10", "facades"):
            result = self.fetch(self.folder / "data", dataset, source=self.archive(dataset, source))
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, f"{dataset}.tar.gz: the files in it have other SHA-256")
            result = self.fetch(self.folder / "data", dataset, source=source / "data_batch_1.bin")
            self.assertEqual(result.returncode, 2)
            self.assertIn("cannot be unpacked", result.stderr)
            result = self.fetch(self.folder / "data", dataset)
            self.assertIn("cannot download file:///nowhere", result.stderr)
            self.assertEqual(list((self.folder / "data").iterdir()), [])

    @unittest.skipUnless((DATA / "facades").is_dir(), "LIPIZZ_DATA_DIR names no folder with facades/")
    def test_pictures_arrive_and_are_kept_and_a_damaged_one_is_replaced(self):
        source = self.archive("facades", (DATA / "facades").resolve())
        target = self.folder / "data" / "facades"
        result = self.fetch(self.folder / "data", "facades", source=source)
        self.assertEqual(result.returncode, 0, result.stderr)
        again = self.fetch(self.folder / "data", "facades")
        self.assertEqual(again.returncode, 0, again.stderr)
        picture = target / "val" / "1.jpg"
        picture.chmod(0o644)
        picture.write_bytes(b"cut")
        self.assertEqual(self.fetch(self.folder / "data", "facades").returncode, 2)
        self.assertEqual(self.fetch(self.folder / "data", "facades", source=source).returncode, 0)
        self.assertEqual(picture.read_bytes(), (DATA / "facades" / "val" / "1.jpg").read_bytes())
        self.assertEqual([path.name for path in (self.folder / "data").iterdir()], ["facades"])


if __name__ == "__main__":
    unittest.main()
