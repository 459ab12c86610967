#include "app/doctor_place.hpp"

#include <gtest/gtest.h>

#include <map>

namespace lipizz::app::doctor_place_test {
namespace {

using Verdict = Finding::Verdict;

Finding scheduler(std::map<std::string, std::string> variables,
                  std::optional<double> time_left_s = {}) {
  return check_scheduler([&](const std::string& name) { return variables[name]; }, time_left_s);
}

TEST(DoctorPlace, a_job_of_slurm_is_told_with_its_time) {
  const Finding found = scheduler(
      {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "17"}, {"SLURM_JOB_NODELIST", "n[1-2]"}}, 720);
  EXPECT_EQ(found.text, "Slurm job 7, tasks 17, on n[1-2], 12 min left");
  EXPECT_EQ(found.verdict, Verdict::kOk);
  EXPECT_EQ(scheduler({{"SLURM_JOB_ID", "7"}}).verdict, Verdict::kNote);
}

TEST(DoctorPlace, other_schedulers_are_known_by_their_files) {
  EXPECT_EQ(scheduler({{"PBS_NODEFILE", "/a"}}).text, "PBS, hosts in /a");
  EXPECT_EQ(scheduler({{"PE_HOSTFILE", "/b"}}).text, "Grid Engine, hosts in /b");
  EXPECT_EQ(scheduler({}).verdict, Verdict::kOk);
}

TEST(DoctorPlace, the_terminal_is_told_by_what_it_shows) {
  EXPECT_EQ(check_terminal(report::TerminalStyle{}).text,
            "80x24, no colours, ASCII (by LC_ALL, LC_CTYPE, LANG)");
  EXPECT_EQ(check_terminal({}).verdict, Verdict::kOk);
}

}  // namespace
}  // namespace lipizz::app::doctor_place_test
