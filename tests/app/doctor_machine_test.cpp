#include "app/doctor_machine.hpp"

#include <gtest/gtest.h>

namespace lipizz::app::doctor_machine_test {
namespace {

using Verdict = Finding::Verdict;

TEST(DoctorMachine, the_processor_is_told_by_what_one_core_does) {
  const Finding found = check_processor(
      2, "avx512",
      {.peak_flops_per_s = 100e9, .product_flops_per_s = 80e9, .bytes_per_s = 12.34e9});
  EXPECT_EQ(found.verdict, Verdict::kOk);
  EXPECT_EQ(found.text,
            "2 cores, numerics avx512; of one core: 80 GFLOP/s in products of matrices, 100 at its "
            "peak, 12.3 GB/s to and from memory");
  EXPECT_EQ(
      check_processor(1, "avx2", {.peak_flops_per_s = 100e9, .product_flops_per_s = 5e9}).verdict,
      Verdict::kNote);
}

TEST(DoctorMachine, load_is_noted_where_it_leaves_too_few_cores) {
  EXPECT_EQ(check_load(0.3, 2, 2).text, "0.3 on the host's 2 cores");
  EXPECT_EQ(check_load(0.9, 2, 2).verdict, Verdict::kOk);
  EXPECT_EQ(check_load(1.1, 2, 2).verdict, Verdict::kNote);
  EXPECT_EQ(check_load(40, 64, 4).verdict, Verdict::kOk) << "the others' cores";
  EXPECT_EQ(check_load(61, 64, 4).verdict, Verdict::kNote);
}

TEST(DoctorMachine, memory_is_told_by_what_bounds_it_most) {
  const Finding found = check_memory(
      {.bytes = 8ULL << 30,
       .limits = {{"the memory of the host", 6ULL << 30, 0}, {"a control group", 2ULL << 30, 0}}});
  EXPECT_EQ(found.text, "8 GiB of the host; 2 GiB can still be had of a control group");
  EXPECT_EQ(found.verdict, Verdict::kOk);
  EXPECT_EQ(check_memory({.bytes = 1 << 30, .limits = {{"a control group", 1 << 20, 0}}}).verdict,
            Verdict::kNote);
}

TEST(DoctorMachine, a_gpu_is_missed_where_it_is_asked_for) {
  EXPECT_EQ(check_gpus(2, "", "cuda").text, "2 GPUs");
  EXPECT_EQ(check_gpus(0, "no driver", "cpu").verdict, Verdict::kOk);
  EXPECT_EQ(check_gpus(0, "no driver", "cuda+cpu").verdict, Verdict::kProblem);
}

TEST(DoctorMachine, ranks_are_held_against_the_room_for_them) {
  const config::Grid grid{.rows = 2, .columns = 2};
  EXPECT_EQ(check_slots(grid, {}, 8, {}).verdict, Verdict::kOk);
  EXPECT_EQ(check_slots(grid, {}, 2, {}).verdict, Verdict::kNote);
  config::Compute threads;
  threads.threads_per_worker = 2;
  EXPECT_EQ(check_slots(grid, threads, 8, {}).verdict, Verdict::kNote);
  EXPECT_EQ(check_slots(grid, {}, 2, 5).verdict, Verdict::kOk);
  EXPECT_EQ(check_slots(grid, {}, 2, 3).verdict, Verdict::kNote);
  EXPECT_EQ(check_slots(grid, {}, 2, 1).verdict, Verdict::kProblem);
}

TEST(DoctorMachine, a_cell_may_have_several_ranks) {
  const config::Grid grid{.rows = 2, .columns = 2};
  config::Compute pairs;
  pairs.ranks_per_cell = 2;
  EXPECT_EQ(check_slots(grid, pairs, 9, {}).verdict, Verdict::kOk);
  EXPECT_EQ(check_slots(grid, pairs, 8, {}).verdict, Verdict::kNote);
  EXPECT_EQ(check_slots(grid, pairs, 2, 9).verdict, Verdict::kOk);
  const Finding fewer = check_slots(grid, pairs, 2, 8);
  EXPECT_EQ(fewer.verdict, Verdict::kNote);
  EXPECT_NE(fewer.advice.find("-np 7"), std::string::npos) << fewer.advice;
  EXPECT_EQ(check_slots(grid, pairs, 2, 2).verdict, Verdict::kProblem);
}

}  // namespace
}  // namespace lipizz::app::doctor_machine_test
