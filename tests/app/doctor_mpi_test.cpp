#include "app/doctor_mpi.hpp"

#include <gtest/gtest.h>

namespace lipizz::app::doctor_mpi_test {
namespace {

using Verdict = Finding::Verdict;

// An mpirun that answers so.
RunCommand mpirun(const std::string& version, const std::string& started, const std::string& lost) {
  return [=](const std::string& command) {
    if (command == "mpirun --version") return version;
    return command.find("--enable-recovery") == std::string::npos ? started : lost;
  };
}

MpiTrial tried(const RunCommand& run) {
  MpiTrial trial{.library = "Open MPI v4.1.4", .thread_level = "serialized"};
  try_mpirun(true, run, trial);
  return trial;
}

TEST(DoctorMpi, a_sound_one_has_nothing_to_do) {
  const auto trial = tried(mpirun("mpirun (Open MPI) 4.1.4\n\nReport", "here\nhere\n", "alive\n"));
  EXPECT_EQ(trial.mpirun, "mpirun (Open MPI) 4.1.4");
  for (const Finding& each : check_mpi(trial, false)) EXPECT_EQ(each.verdict, Verdict::kOk);
}

TEST(DoctorMpi, one_that_is_missing_or_starts_nothing_is_a_problem) {
  EXPECT_EQ(check_mpi(tried(mpirun("", "", "")), false).at(1).verdict, Verdict::kProblem);
  const auto findings = check_mpi(tried(mpirun("mpirun (Open MPI) 4.1.4", "", "")), true);
  EXPECT_EQ(findings.at(1).verdict, Verdict::kProblem);
  EXPECT_EQ(findings.at(1).advice,
            "type `mpirun --allow-run-as-root --oversubscribe -np 2 true`, which says why");
  EXPECT_EQ(findings.size(), 2) << "recovery was not tried";
}

TEST(DoctorMpi, another_version_and_no_recovery_are_worth_a_note) {
  const auto findings =
      check_mpi(tried(mpirun("mpirun (Open MPI) 5.0.1", "here\nhere\n", "")), false);
  EXPECT_EQ(findings.at(1).text,
            "mpirun (Open MPI) 5.0.1; this program is linked to Open MPI v4.1.4");
  EXPECT_EQ(findings.at(1).verdict, Verdict::kNote);
  EXPECT_EQ(findings.at(2).verdict, Verdict::kNote);
}

TEST(DoctorMpi, a_session_that_does_not_begin_is_a_problem) {
  const auto findings =
      check_mpi({.library = "MPICH", .failure = "MPI does not start", .n_ranks = 2}, false);
  ASSERT_EQ(findings.size(), 1) << "under a launcher none is tried";
  EXPECT_EQ(findings[0].verdict, Verdict::kProblem);
  EXPECT_EQ(findings[0].text, "MPICH: MPI does not start");
}

}  // namespace
}  // namespace lipizz::app::doctor_mpi_test
