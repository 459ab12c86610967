"""The templates of scripts/slurm on whatever Slurm there is: SLURM_CONF names its configuration.

Needs three idle nodes with two processors each that share LIPIZZ_SLURM_FOLDER. Where they are daemons on one
machine, OMPI_MCA_btl=tcp,self keeps Open MPI from naming two nodes' shared memory alike. LIPIZZ_SLURM_KILL_NODE
may name a command that takes the third node away for good; it is run last.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from launch import BINARY, DEADLINE_S, SIZES, SystemTest, in_process
from sweep_test import SWEEP, combination_of, figures_of, results_of, rows_of

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "slurm"
EACH = ["--checkpoint-every", "1", "--quiet"]
# Generations of some tenths of a second.
LONGER = [*SIZES, "--set", "data.max_samples=2000", "--set", "fitness.n_samples=300"]


def run(*command, cwd=None):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, "LIPIZZ": BINARY}).stdout


class Slurm(SystemTest):
    def setUp(self):
        if shutil.which("sinfo") is None or not os.environ.get("SLURM_CONF"):
            self.skipTest("no Slurm: SLURM_CONF is not set")
        super().setUp()
        shared = os.environ.get("LIPIZZ_SLURM_FOLDER", "/var/tmp")
        self.shared = pathlib.Path(tempfile.mkdtemp(prefix="lipizz-slurm-", dir=shared))
        self.addCleanup(shutil.rmtree, self.shared)

    def submit(self, script, *arguments, options=("--ntasks=5",)):
        return run("sbatch", "--parsable", "--time=10", *options, SCRIPTS / script, *arguments, cwd=self.shared).strip()

    def state(self, job):
        return re.search(r"JobState=(\w+)", run("scontrol", "show", "job", job)).group(1)

    def wait_until(self, condition, what):
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"not {what}:\n{self.output()}")
            time.sleep(0.2)

    def output(self):
        return "\n".join(path.read_text() for path in sorted(self.shared.glob("*.log")))

    def wait_until_done(self, job):
        self.wait_until(lambda: self.state(job) in ("COMPLETED", "FAILED", "NODE_FAIL", "TIMEOUT"), "done")
        self.assertEqual(self.state(job), "COMPLETED", self.output())

    def wait_until_saved(self, folder):
        log = folder / "run.log"
        self.wait_until(lambda: log.exists() and " is saved" in log.read_text(), "having saved a generation")

    def fingerprint(self, folder):
        return json.loads((folder / "result.json").read_text())["fingerprint"]

    def undisturbed(self, *arguments):
        return self.result_of(in_process(*[word for word in arguments if word != "--quiet"]))["fingerprint"]

    def test_0_a_sweep_as_an_array(self):
        file, folder = self.shared / "rates.json", self.shared / "sweep"
        file.write_text(json.dumps(SWEEP), encoding="utf-8")
        told = run(BINARY, "sweep", "run", file, "--output", folder, "--slurm", "--tasks", "3",
                   "--sbatch=--time=10", "--sbatch=--cpus-per-task=2", cwd=self.shared)
        job = re.search(r"^job: (\d+)", told, re.MULTILINE).group(1)
        for task in (1, 2, 3):
            self.wait_until_done(f"{job}_{task}")
        self.assertIn("18 finished", run(BINARY, "sweep", "status", file, "--output", folder))
        run(BINARY, "sweep", "report", file, "--output", folder)
        expected = figures_of(folder)
        self.assertEqual(len(expected), 6)
        for row in rows_of(folder, "table.csv"):
            n, mean, error = expected[float(row["generator.learning_rate"]), row["generator.loss"]]
            self.assertEqual(int(row["n"]), 3)
            self.assertAlmostEqual(float(row["mean"]), mean, delta=1e-12 * abs(mean))
            self.assertAlmostEqual(float(row["standard_error"]), error, delta=1e-12 * abs(mean))
        starts = [path.read_text().count("# started ") for path in folder.glob("logs/*.log")]
        self.assertEqual(starts, [1] * 18, "each run was trained once")
        hosts = {line for path in folder.glob("logs/*.log") for line in re.findall(r"# started \S+ on (\S+):", path.read_text())}
        self.assertGreater(len(hosts), 0)
        here = self.result_of(in_process("--config", folder / "report/best.json"))
        best = min(expected, key=lambda key: expected[key][1])
        same = next(result for name, result in results_of(folder).items()
                    if combination_of(folder / "runs" / name) == best and result["experiment"]["seed"] == 1)
        self.assertEqual(here["fingerprint"], same["fingerprint"])

    def test_1_ops3_a_job(self):
        experiment = ["--grid", "2x2", "--generations", "3", *LONGER, *EACH]
        job = self.submit("job.sbatch", *experiment)
        self.wait_until_done(job)
        self.assertEqual(self.fingerprint(self.shared / f"runs/lipizz-{job}"), self.undisturbed(*experiment))

    def test_1_ops3_two_tasks_of_srun_to_a_cell(self):
        plugins = subprocess.run(["srun", "--mpi=list"], check=True, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT).stdout
        if "pmix" not in plugins.split():
            self.skipTest(f"this Slurm cannot start ranks by PMIx; srun --mpi=list: {' '.join(plugins.split())}")
        experiment = ["--grid", "1x2", "--generations", "2", *LONGER, "--set", "data.micro_batches=2", "--quiet"]
        folder = self.shared / "run"
        run("srun", "--mpi=pmix", "--ntasks=5", "--time=10", BINARY, *experiment, "--set", "ranks_per_cell=2",
            "--output", folder, cwd=self.shared)
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(len(result["inventory"]), 5)
        self.assertEqual(result["fingerprint"], self.undisturbed(*experiment))

    def test_2_an_array_of_three(self):
        experiment = ["--grid", "1x2", "--generations", "2", *LONGER, *EACH]
        job = self.submit("array.sbatch", *experiment, options=("--ntasks=2", "--array=1-3"))
        for seed in (1, 2, 3):
            self.wait_until_done(f"{job}_{seed}")
            self.assertEqual(self.fingerprint(self.shared / f"runs/lipizz-{job}-seed-{seed}"),
                             self.undisturbed(*experiment, "--seed", seed))

    def test_3_a_job_that_is_told_to_leave_requeues_itself(self):
        experiment = ["--grid", "2x2", "--generations", "30", *LONGER, *EACH]
        job = self.submit("requeue.sbatch", *experiment)
        folder = self.shared / f"runs/lipizz-{job}"
        self.wait_until_saved(folder)
        run("scancel", "--batch", "--signal=USR1", job)
        self.wait_until(lambda: self.state(job) == "PENDING", "back in the queue")
        # Slurm would wait for two minutes; in the second of the requeue it would find its credential revoked.
        run("scontrol", "update", f"JobId={job}", "StartTime=now+3")
        self.wait_until_done(job)
        self.assertIn("Restarts=1", run("scontrol", "show", "job", job))
        self.assertIn("resumed at the end of generation", (folder / "run.log").read_text())
        self.assertEqual(self.fingerprint(folder), self.undisturbed(*experiment))

    def test_4_a_lost_node(self):
        kill = os.environ.get("LIPIZZ_SLURM_KILL_NODE")
        if not kill:
            self.skipTest("LIPIZZ_SLURM_KILL_NODE names no command that takes a node away")
        experiment = ["--grid", "2x2", "--generations", "30", *LONGER, *EACH]
        job = self.submit("job.sbatch", *experiment, options=("--ntasks=6",))
        folder = self.shared / f"runs/lipizz-{job}"
        self.wait_until_saved(folder)
        subprocess.run(kill, shell=True, check=False)
        self.wait_until_done(job)
        self.assertIn("going on with 2 of 3 hosts", self.output())
        self.assertEqual(self.fingerprint(folder), self.undisturbed(*experiment))


if __name__ == "__main__":
    unittest.main()
