"""bench/kernel_times.py with what ncu prints, and with an ncu that is played."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import kernel_times  # noqa: E402

LAMBDA = "[lambda(const lipizz::Operands &, unsigned long) (instance 1)]"
KERNELS = {
    f"void lipizz::each_kernel<void lipizz::samples<lipizz::CudaWork>(T1 &)::{LAMBDA}>(lipizz::Places)": "samples",
    f"void lipizz::each_kernel<void lipizz::optimizer_step_by<lipizz::Adam, lipizz::CudaWork>(T2 &)::{LAMBDA}>(T1)":
        "optimizer_step_by",
    f"void lipizz::short_sums_kernel<lipizz::TwoSums, void CudaWork::column_sums<lipizz::TwoSums, void "
    f"lipizz::statistics<lipizz::CudaWork>(T1 &)::{LAMBDA}>": "statistics",
    f"void lipizz::each_kernel<void lipizz::StagedConvolution<__nv_bfloat16>::take<0>(const lipizz::StagedValue &) "
    f"const::{LAMBDA}>(T1)": "StagedConvolution::take",
    f"void lipizz::each_kernel<void WindowProducts::gather<lipizz::CudaWork>(T1 &) const::{LAMBDA}>(T1)":
        "WindowProducts::gather",
    "lipizz::list_matrices_kernel(lipizz::Places, lipizz::LaunchContext, lipizz::SlicedProduct)":
        "list_matrices_kernel",
    "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_tn_align1>(T1::Params)": "cutlass::Kernel2",
    "sm80_xmma_gemm_f32f32_f32f32_f32_nt_n_tilesize64x64x8_stage3_execute_kernel__5x_cublas":
        "sm80_xmma_gemm_f32f32_f32f32_f32_nt_n",
}
HEADER = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
PRINTED = f"""==PROF== Connected to process 7
mlp on cuda in f32
{HEADER}
"0","void lipizz::each_kernel<void lipizz::add<lipizz::CudaWork>(T1 &)>(T1)","gpu__time_duration.sum","ns","1,500"
"1","void lipizz::each_kernel<void lipizz::add<lipizz::CudaWork>(T1 &)>(T1)","gpu__time_duration.sum","us","1.5"
"2","gemm","gpu__time_duration.sum","us","1"
"""


class KernelTimes(unittest.TestCase):
    def test_kernels_are_called_as_their_operation(self):
        for kernel, operation in KERNELS.items():
            self.assertEqual(kernel_times.operation_of(kernel), operation)

    def test_times_are_summed_up_by_operation(self):
        times = kernel_times.read_times(PRINTED.splitlines())
        self.assertEqual([microseconds for _, microseconds in times], [1.5, 1.5, 1])
        self.assertEqual(list(kernel_times.table_of(times)),
                         ["3 kernels, 4 us", " 75.0%        3.0 us     2  add", " 25.0%        1.0 us     1  gemm"])

    def run_with(self, ncu):
        with tempfile.TemporaryDirectory(prefix="lipizz-") as folder:
            if ncu is not None:
                path = pathlib.Path(folder) / "ncu"
                path.write_text(f"#!/bin/sh\n{ncu}\n")
                path.chmod(0o755)
            return subprocess.run([sys.executable, BENCH / "kernel_times.py", "--skip", "5", "bench_cells", "cuda"],
                                  env={**os.environ, "PATH": f"{folder}:/bin" if ncu else folder}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def test_the_program_runs_under_ncu(self):
        ended = self.run_with(f'cat <<END\n{PRINTED}"3","$*","","us","4"\nEND')
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("50.0%", ended.stdout)

    def test_without_ncu_or_a_table_one_message_says_so(self):
        for ncu, message in ((None, "is not installed"), ("echo no permission; exit 3", "no permission")):
            ended = self.run_with(ncu)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(message, ended.stderr)


if __name__ == "__main__":
    unittest.main()
