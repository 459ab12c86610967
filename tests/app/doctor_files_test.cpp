#include "app/doctor_files.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace lipizz::app::doctor_files_test {
namespace {

using ::testing::HasSubstr;
using Verdict = Finding::Verdict;

bool is_empty(const TemporaryFolder& folder) {
  return std::filesystem::is_empty(folder.path());
}

TEST(DoctorFiles, a_place_for_runs_is_tried_and_left_as_it_was) {
  const TemporaryFolder folder;
  const Finding found = check_run_folder_place(folder / "runs" / "a");
  EXPECT_NE(found.verdict, Verdict::kProblem);
  EXPECT_THAT(found.text, HasSubstr(folder.path().string() + ": "));
  EXPECT_THAT(found.text, HasSubstr("a file is on the disk after"));
  EXPECT_TRUE(is_empty(folder));
}

TEST(DoctorFiles, a_place_where_nothing_can_be_written_is_a_problem) {
  EXPECT_EQ(check_run_folder_place("/proc/runs").verdict, Verdict::kProblem);
  EXPECT_EQ(check_temporary_folder("/proc").verdict, Verdict::kProblem);
}

TEST(DoctorFiles, the_cache_is_the_first_folder_that_takes_a_file) {
  const TemporaryFolder folder;
  const Finding found = check_cache({.lasting = {folder / "cache"}, .beside_run = {}});
  EXPECT_EQ(found.verdict, Verdict::kOk);
  EXPECT_THAT(found.text, HasSubstr((folder / "cache").string()));
  const Finding second =
      check_cache({.lasting = {"/proc/none", folder / "cache"}, .beside_run = {}});
  EXPECT_EQ(second.verdict, Verdict::kNote);
  EXPECT_THAT(second.text, HasSubstr("/proc/none"));
  EXPECT_EQ(check_cache({}).verdict, Verdict::kNote);
}

TEST(DoctorFiles, only_the_dataset_that_is_wanted_is_a_problem) {
  const TemporaryFolder folder;
  for (const Finding& each : check_datasets(folder.path(), "mnist")) {
    EXPECT_EQ(each.verdict, each.subject == "mnist" ? Verdict::kProblem : Verdict::kNote);
    EXPECT_THAT(each.advice, HasSubstr("scripts/fetch-data.sh"));
  }
}

TEST(DoctorFiles, a_folder_of_datasets_is_missed_where_it_is_needed) {
  EXPECT_EQ(check_datasets("", "glyphs").at(0).verdict, Verdict::kNote);
  EXPECT_EQ(check_datasets("", "mnist").at(0).verdict, Verdict::kProblem);
}

TEST(DoctorFiles, a_long_temporary_folder_is_worth_a_note) {
  const TemporaryFolder folder;
  EXPECT_EQ(check_temporary_folder(folder.path()).verdict, Verdict::kOk);
  const auto longer = folder / std::string(80, 'x');
  std::filesystem::create_directory(longer);
  EXPECT_EQ(check_temporary_folder(longer).verdict, Verdict::kNote);
}

TEST(DoctorFiles, little_shared_memory_is_worth_a_note) {
  EXPECT_EQ(check_shared_memory("/proc").verdict, Verdict::kNote);
}

}  // namespace
}  // namespace lipizz::app::doctor_files_test
