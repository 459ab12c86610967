"""A bad input gets one message from one rank, a non-zero exit code on every rank, and nothing is
overwritten. Every case runs in one process and on three ranks."""

import gzip
import hashlib
import json
import pathlib
import struct
import unittest

from launch import BINARY, MPIRUN, SystemTest, in_process

USAGE, DATA = 2, 4
N_RANKS = 3

# Writes each rank's exit code beside the output; ending with 0 keeps mpirun from killing the others.
NOTE_EXIT_CODE = '"$@"; echo $? > exit-code.$OMPI_COMM_WORLD_RANK; exit 0'


def idx_images(n_samples, n_declared=None):
    header = struct.pack(">IIII", 0x803, n_declared or n_samples, 28, 28)
    return header + bytes(784 * n_samples)


def idx_labels(n_samples):
    return struct.pack(">II", 0x801, n_samples) + bytes(n_samples)


class BadInput(SystemTest):
    def assert_refused(self, arguments, exit_code, message):
        before = self.files()
        alone = self.run_to_end(in_process(*arguments))
        self.assertEqual(alone.exit_code, exit_code, alone.output)
        self.assert_one_message(alone, message)
        self.assert_nothing_lost(before, exit_code)

        ranks = self.run_to_end([MPIRUN, "--oversubscribe", "-np", str(N_RANKS), "sh", "-c", NOTE_EXIT_CODE,
                                 "sh", BINARY, *arguments])
        self.assert_one_message(ranks, message)
        codes = [(self.folder / f"exit-code.{rank}").read_text().strip() for rank in range(N_RANKS)]
        self.assertEqual(codes, [str(exit_code)] * N_RANKS, ranks.output)
        self.assert_nothing_lost(before, exit_code)

    def assert_nothing_lost(self, before, exit_code):
        """What was there is as it was. Data are opened once a run has its folder, so bad ones may
        leave the log of the attempt; a wrong command leaves nothing."""
        after = self.files()
        self.assertEqual({path: after.get(path) for path in before}, before)
        if exit_code == USAGE:
            self.assertEqual(after.keys(), before.keys())

    def files(self):
        """Hash of every file that a run could have touched."""
        ours = ("output-", "exit-code.", "ompi.")
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(self.folder.rglob("*"))
                if path.is_file() and not path.relative_to(self.folder).parts[0].startswith(ours)}

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def write_mnist(self, train_images):
        """An mnist/ of which all but the given training images is sound."""
        for name, content in (("train-labels-idx1", idx_labels(60000)), ("t10k-images-idx3", idx_images(10000)),
                              ("t10k-labels-idx1", idx_labels(10000))):
            self.write(f"data/mnist/{name}-ubyte.gz", gzip.compress(content, 1))
        self.write("data/mnist/train-images-idx3-ubyte.gz", train_images)
        return ["--dataset", "mnist", "--data-dir", str(self.folder / "data"), "--generations", "1"]

    # Memory.

    def test_a_grid_that_no_host_has_the_memory_for(self):
        self.assert_refused(["--dataset", "ring8", "--grid", "4096x4096"], USAGE,
                            r"memory: .* needs [0-9.]+ TB more for 16777216 cells on \d+ workers?, but [0-9.]+ .B "
                            r"are left of .*; use a smaller grid or more hosts")

    # Devices.

    def test_a_gpu_where_there_is_none(self):
        if pathlib.Path("/proc/driver/nvidia/version").exists():
            self.skipTest("this machine has a GPU")
        self.assert_refused(["--dataset", "ring8", "--device", "cuda"], USAGE,
                            r"device: cuda needs GPUs, but rank 1 on .* has none: ")

    def test_a_precision_that_the_processor_does_not_know(self):
        self.assert_refused(["--dataset", "ring8", "--set", "precision=tf32"], USAGE,
                            r"precision: cpu does not compute in tf32; choose f32, bf16 where ")
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        if "amx_bf16" not in flags and "avx512_bf16" not in flags:
            self.assert_refused(["--dataset", "ring8", "--set", "precision=bf16"], USAGE, r"precision: .*(neither AMX|engine reference)")
        self.assert_refused(["--dataset", "ring8", "--set", "precision=bf16", "--set", "numerics=avx512"], USAGE,
                            r"precision: bf16 needs .*numerics avx512_bf16 or amx")
        self.assert_refused(["--dataset", "ring8", "--set", "numerics=amx"], USAGE, r"numerics: amx is for precision bf16 on processors")

    # Data.

    def test_missing_dataset(self):
        (self.folder / "data").mkdir()
        self.assert_refused(["--dataset", "mnist", "--data-dir", str(self.folder / "data")], DATA,
                            r"train-images-idx3-ubyte.*fetch-data")

    def test_a_folder_of_data_that_nothing_reads(self):
        (self.folder / "data").mkdir()
        self.assert_refused(["--data-dir", str(self.folder / "data")], USAGE,
                            r"--data-dir: the dataset glyphs is built in and reads no folder; .*--dataset")

    def test_tasks_of_a_job_step_without_mpi(self):
        refused = self.run_to_end(["env", "SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=2", *in_process("--dataset", "ring8")])
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, r"srun started 4 tasks .*srun --mpi=pmix -n 4 lipizz")

    def test_no_data_dir(self):
        self.assert_refused(["--dataset", "mnist", "--data-dir", str(self.folder / "nowhere")], DATA,
                            r"nowhere.*fetch-data")

    def test_a_dry_run_needs_no_data(self):
        told = self.run_to_end(in_process("--dataset", "mnist", "--data-dir", str(self.folder / "nowhere"), "--dry-run"))
        self.assertEqual(told.exit_code, 0, told.output)
        self.assertRegex(told.output, "(?m)^memory: the samples of mnist are not counted: .*fetch-data.sh .* mnist$")
        self.assertRegex(told.output, "(?m)^memory: .* in 1 process, without mnist")

    def test_truncated_gz(self):
        whole = gzip.compress(idx_images(60000), 1)
        self.assert_refused(self.write_mnist(whole[:len(whole) // 2]), DATA, r"train-images-idx3-ubyte\.gz")

    def test_corrupt_gz(self):
        whole = bytearray(gzip.compress(idx_images(60000), 1))
        middle = len(whole) // 2
        whole[middle:middle + 64] = bytes(byte ^ 0x5a for byte in whole[middle:middle + 64])
        self.assert_refused(self.write_mnist(bytes(whole)), DATA, r"train-images-idx3-ubyte\.gz")

    def test_header_that_lies_about_its_size(self):
        images = gzip.compress(idx_images(100, n_declared=0xf0000000), 1)
        self.assert_refused(self.write_mnist(images), DATA, r"train-images-idx3-ubyte\.gz")

    def test_not_an_idx_file(self):
        self.assert_refused(self.write_mnist(gzip.compress(b"<html>not found</html>")), DATA,
                            r"train-images-idx3-ubyte\.gz")

    # Options.

    def test_unknown_option(self):
        self.assert_refused(["--generatoins", "2"], USAGE, r"--generatoins.*--generations")

    def test_an_empty_path(self):
        for option, expected in (("--config", "a file"), ("--output", "a folder"), ("--resume", "a folder")):
            with self.subTest(option=option):
                self.assert_refused([option, ""], USAGE, f'{option}: expected {expected}, found ""')

    def test_ops2_ranks_with_other_settings(self):
        program = ["-np", "1", "sh", "-c", NOTE_EXIT_CODE, "sh", BINARY, "--dataset", "ring8", "--seed"]
        ranks = self.run_to_end([MPIRUN, "--oversubscribe", *program, "1", ":", *program, "1", ":", *program, "2"])
        self.assert_one_message(ranks, "all ranks must have the same configuration, but rank 0 .* rank 2 ")
        codes = [(self.folder / f"exit-code.{rank}").read_text().strip() for rank in range(N_RANKS)]
        self.assertEqual(codes, [str(USAGE)] * N_RANKS, ranks.output)

    def test_launch_on_ranks_of_mpirun(self):
        ranks = self.run_to_end([MPIRUN, "--oversubscribe", "-np", str(N_RANKS), "sh", "-c", NOTE_EXIT_CODE,
                                 "sh", BINARY, "launch", "--dataset", "ring8"])
        self.assert_one_message(ranks, "launch starts mpirun itself; start it without mpirun")
        codes = [(self.folder / f"exit-code.{rank}").read_text().strip() for rank in range(N_RANKS)]
        self.assertEqual(codes, [str(USAGE)] * N_RANKS, ranks.output)

    def test_launch_where_nothing_can_be_kept_for_a_while(self):
        refused = self.run_to_end(["env", "TMPDIR=/nonexistent", BINARY, "launch", "--dataset", "ring8"])
        self.assertEqual(refused.exit_code, USAGE, refused.output)
        self.assert_one_message(refused, "cannot make a folder in /nonexistent: .*TMPDIR")

    def test_unknown_command(self):
        self.assert_refused(["trian"], USAGE, r"trian\b.*\btrain\b")

    def test_unknown_dataset(self):
        self.assert_refused(["--dataset", "glyps"], USAGE, r"glyps.*glyphs")

    def test_unknown_key_on_the_command_line(self):
        self.assert_refused(["--set", "generator.learning_rat=1"], USAGE, r"learning_rat\b.*learning_rate")

    def test_a_grid_of_no_cells(self):
        self.assert_refused(["--grid", "0x4"], USAGE, r"--grid rows\b.*found 0$")

    def test_a_grid_that_is_not_rows_by_columns(self):
        for grid in ("4", "axb", "2x", "2x2x2", "-1x2", "99999999999x1"):
            with self.subTest(grid=grid):
                self.assert_refused([f"--grid={grid}"], USAGE, r"[Gg]rid")

    # Configuration files.

    def test_json_that_ends_half_way(self):
        self.assert_refused(["--config", self.write("half.json", '{"generations": 2, "grid": {"rows":')], USAGE,
                            r"half\.json")

    def test_unknown_key(self):
        config = self.write("typo.json", json.dumps({"generator": {"learnin_rate": 1e-3}}))
        self.assert_refused(["--config", config], USAGE, r"typo\.json.*learnin_rate\b.*learning_rate")

    def test_a_layer_that_does_not_fit(self):
        network = {"inputs": [4], "layers": [{"kind": "linear", "outputs": 784}, {"kind": "max-pool", "kernel": 2}]}
        config = self.write("layers.json", json.dumps({"model": {"generator": network, "discriminator": network}}))
        self.assert_refused(["--config", config], USAGE, r"model\.generator\.layers\[1\]: .*\[1, 784\]")

    def test_missing_configuration(self):
        self.assert_refused(["--config", "absent.json"], USAGE, r"absent\.json")

    def test_value_out_of_range(self):
        self.assert_refused(["--set", "data.batch_size=0"], USAGE, r"data\.batch_size")

    # Output.

    def test_existing_output_folder(self):
        self.write("earlier/result.json", "precious")
        self.assert_refused(["--output", str(self.folder / "earlier")], USAGE, r"earlier")

    def test_runs_folder_that_is_a_loop_of_links(self):
        (self.folder / "runs").symlink_to("runs")
        self.assert_refused(["--grid", "1x1", "--generations", "1"], USAGE, "cannot make the output folder .*symbolic links")

    def test_unwritable_output_folder(self):
        # Below a plain file not even root can make a folder.
        self.write("plain", "a file")
        self.assert_refused(["--output", str(self.folder / "plain/run")], USAGE, r"plain/run")


if __name__ == "__main__":
    unittest.main()
