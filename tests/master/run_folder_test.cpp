#include "master/run_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "core/error.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

class RunFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(base_);
    fs::create_directories(base_);
  }
  void TearDown() override { fs::remove_all(base_); }
  fs::path base_ = fs::path(testing::TempDir()) / "lipizz_run_folder_test";
};

TEST_F(RunFolder, is_made_with_the_folders_above_it) {
  const fs::path made = make_run_folder(base_ / "a" / "b");
  EXPECT_TRUE(made.is_absolute());
  EXPECT_TRUE(fs::is_directory(base_ / "a" / "b"));
}

TEST_F(RunFolder, what_exists_is_never_used) {
  fs::create_directory(base_ / "empty");
  EXPECT_THROW(make_run_folder(base_ / "empty"), ConfigError);
  EXPECT_THROW(make_run_folder(base_ / "empty/"), ConfigError);
  std::ofstream(base_ / "file") << "precious";
  EXPECT_THROW(make_run_folder(base_ / "file"), ConfigError);
  EXPECT_THROW(make_run_folder(base_ / "file" / "below"), ConfigError);
  fs::create_symlink("nowhere", base_ / "link");
  EXPECT_THROW(make_run_folder(base_ / "link"), ConfigError);
}

TEST_F(RunFolder, is_named_after_run_and_time) {
  const auto time = std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000'000));
  EXPECT_EQ(default_output_dir("mnist", time), "runs/mnist-20010909T014640Z");
}

TEST_F(RunFolder, its_name_counts_on_while_that_is_there_already) {
  const auto time = std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000'000));
  const fs::path before = fs::current_path();
  fs::current_path(base_);
  const fs::path first = default_output_dir("a", time);
  fs::create_directories(first);
  const fs::path second = default_output_dir("a", time);
  fs::create_directories(second);
  const fs::path third = default_output_dir("a", time);
  fs::current_path(before);
  EXPECT_EQ(first, "runs/a-20010909T014640Z");
  EXPECT_EQ(second, "runs/a-20010909T014640Z-2");
  EXPECT_EQ(third, "runs/a-20010909T014640Z-3");
}

TEST_F(RunFolder, can_be_checked_without_being_made) {
  EXPECT_EQ(check_run_folder(base_ / "x" / ".." / "a"), base_ / "a");
  EXPECT_FALSE(fs::exists(base_ / "a"));
  EXPECT_THROW(check_run_folder(base_), ConfigError);
}

TEST_F(RunFolder, one_master_at_a_time_holds_its_lock) {
  std::optional<RunFolderLock> first(std::in_place, base_);
  try {
    const RunFolderLock second(base_);
    FAIL() << "two at once";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(base_.string()));
    EXPECT_THAT(error.what(), testing::HasSubstr("another process"));
  }
  EXPECT_THROW(RunFolderLock{base_}, ConfigError) << "the refused one released nothing";
  fs::create_directory(base_ / "other");
  EXPECT_NO_THROW(RunFolderLock{base_ / "other"});
  first.reset();
  EXPECT_NO_THROW(RunFolderLock{base_});
}

TEST_F(RunFolder, where_no_lock_can_be_made_none_is_held) {
  EXPECT_NO_THROW(RunFolderLock{base_ / "nowhere"});
}

TEST_F(RunFolder, of_a_master_that_was_lost_at_once_is_removed_file_by_file) {
  const fs::path folder = make_run_folder(base_ / "run");
  {
    const RunFolderLock lock(folder);
    std::ofstream(folder / "run.log") << "lost\n";
    const std::ofstream empty(folder / "metrics.jsonl");
    remove_unbegun_run(folder);
    EXPECT_TRUE(fs::exists(folder / "run.log")) << "a master holds it";
  }
  std::ofstream(folder / "thesis.tex") << "precious";
  remove_unbegun_run(folder);
  EXPECT_FALSE(fs::exists(folder / "run.log"));
  EXPECT_TRUE(fs::exists(folder / "thesis.tex"));
  fs::remove(folder / "thesis.tex");
  { const RunFolderLock lock(folder); }
  remove_unbegun_run(folder);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(RunFolder, that_no_master_made_or_that_has_begun_stays) {
  fs::create_directory(base_ / "empty");
  remove_unbegun_run(base_ / "empty");
  EXPECT_TRUE(fs::exists(base_ / "empty"));
  const fs::path begun = make_run_folder(base_ / "begun");
  { const RunFolderLock lock(begun); }
  std::ofstream(begun / "config.json") << "{}";
  std::ofstream(begun / "run.log") << "begun\n";
  remove_unbegun_run(begun);
  EXPECT_TRUE(fs::exists(begun / "run.log"));
}

TEST_F(RunFolder, files_appear_whole) {
  write_file(base_ / "result.json", "{}\n");
  std::ifstream file(base_ / "result.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "{}\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(base_), {}), 1) << "no temporary file is left";
  EXPECT_THROW(write_file(base_ / "none" / "result.json", ""), CheckpointError);
}

}  // namespace
}  // namespace lipizz::master
