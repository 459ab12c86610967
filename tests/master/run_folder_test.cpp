#include "master/run_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "core/error.hpp"

namespace lipizz::master::run_folder_test {
namespace {

namespace fs = std::filesystem;

class RunFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(base_);
    fs::create_directories(base_);
  }
  void TearDown() override { fs::remove_all(base_); }
  fs::path base_ = fs::path(::testing::TempDir()) / "lipizz_run_folder_test";
};

TEST_F(RunFolder, is_made_with_the_folders_above_it) {
  const fs::path made = make_run_folder(base_ / "a" / "b");
  EXPECT_TRUE(made.is_absolute());
  EXPECT_TRUE(fs::is_directory(base_ / "a" / "b"));
}

TEST_F(RunFolder, may_end_with_a_slash) {
  EXPECT_EQ(check_run_folder(base_ / "a" / ""), base_ / "a");
  EXPECT_EQ(make_run_folder(base_ / "a" / ""), base_ / "a");
}

// A master may be killed at any time, and the next one takes what it left.
TEST_F(RunFolder, is_taken_by_the_next_though_nobody_came_to_hold_its_lock) {
  const fs::path made = make_run_folder(base_ / "run");
  EXPECT_EQ(make_run_folder(base_ / "run"), made);
  EXPECT_EQ(std::distance(fs::directory_iterator(base_), {}), 1) << "nothing else is left";
}

TEST_F(RunFolder, that_cannot_be_made_leaves_nothing) {
  EXPECT_THROW(make_run_folder(base_ / std::string(300, 'x')), ConfigError);
  EXPECT_TRUE(fs::is_empty(base_));
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

TEST_F(RunFolder, is_named_after_run_time_and_process) {
  const auto time = std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000'000));
  EXPECT_EQ(default_output_dir("mnist", time, "node7-4711"),
            "runs/mnist-20010909T014640Z-node7-4711");
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
    EXPECT_THAT(error.what(), ::testing::HasSubstr(base_.string()));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("another process"));
  }
  EXPECT_THROW(RunFolderLock{base_}, ConfigError) << "the refused one released nothing";
  fs::create_directory(base_ / "other");
  EXPECT_NO_THROW(RunFolderLock{base_ / "other"});
  first.reset();
  EXPECT_NO_THROW(RunFolderLock{base_});
}

TEST_F(RunFolder, where_no_lock_can_be_made_none_is_held) {
  const RunFolderLock none(base_ / "nowhere");
  EXPECT_THAT(none.doubt(),
              ::testing::HasSubstr("cannot lock " + (base_ / "nowhere/.lock").string()));
  EXPECT_FALSE(none.is_in(base_ / "nowhere"));
  EXPECT_EQ(RunFolderLock(base_).doubt(), "");
}

TEST_F(RunFolder, its_lock_says_who_took_it_last) {
  EXPECT_EQ(RunFolderLock::last_holder(base_), "");
  EXPECT_EQ(RunFolderLock::last_taken(base_), std::nullopt);
  { const RunFolderLock lock(base_, "the first"); }
  EXPECT_EQ(RunFolderLock::last_holder(base_), "the first");
  const auto taken = RunFolderLock::last_taken(base_);
  EXPECT_NE(taken, std::nullopt);
  const RunFolderLock lock(base_, "another");
  EXPECT_THROW(RunFolderLock(base_, "refused"), ConfigError);
  EXPECT_EQ(RunFolderLock::last_holder(base_), "another");
}

// As a master leaves it that is lost before it has written the configuration.
class UnbegunRun : public RunFolder {
 protected:
  void SetUp() override {
    RunFolder::SetUp();
    folder_ = make_run_folder(base_ / "run");
    { const RunFolderLock lock(folder_); }
    write("run.log", "lost\n");
    write("metrics.jsonl", "");
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

TEST_F(UnbegunRun, its_folder_is_taken_by_the_next) {
  EXPECT_EQ(make_run_folder(folder_), folder_);
  EXPECT_TRUE(fs::exists(folder_ / "run.log")) << "nothing is removed";
  write("config.json.tmp-17", "{");
  EXPECT_EQ(check_run_folder(folder_), folder_);
}

TEST_F(UnbegunRun, its_folder_is_not_taken_while_a_master_holds_it) {
  const RunFolderLock lock(folder_);
  EXPECT_THROW(make_run_folder(folder_), ConfigError);
}

TEST_F(UnbegunRun, its_folder_is_not_taken_with_files_of_others) {
  for (const char* name : {"thesis.tex", "result.json", "config.json"}) {
    write(name, "precious");
    EXPECT_THROW(make_run_folder(folder_), ConfigError) << name;
    fs::remove(folder_ / name);
  }
  write("metrics.jsonl", "{}\n");
  EXPECT_THROW(make_run_folder(folder_), ConfigError);
  write("metrics.jsonl", "");
  fs::create_directory_symlink(folder_, base_ / "link");
  EXPECT_THROW(make_run_folder(base_ / "link"), ConfigError);
  EXPECT_NO_THROW(make_run_folder(folder_));
}

TEST_F(UnbegunRun, one_that_began_meanwhile_is_seen_by_whoever_then_holds_it) {
  EXPECT_NO_THROW(expect_unbegun(folder_));
  EXPECT_FALSE(has_begun(folder_));
  write("config.json", "{}");
  EXPECT_TRUE(has_begun(folder_));
  EXPECT_THROW(expect_unbegun(folder_), ConfigError);
}

TEST_F(UnbegunRun, is_removed_file_by_file) {
  write("config.json", "{}");
  write("thesis.tex", "precious");
  write("metrics.jsonl", "{}\n");
  const RunFolderLock lock(folder_);
  remove_beginning(folder_, lock);
  EXPECT_FALSE(fs::exists(folder_ / "config.json"));
  EXPECT_FALSE(fs::exists(folder_ / "run.log"));
  EXPECT_TRUE(fs::exists(folder_ / "thesis.tex"));
  EXPECT_TRUE(fs::exists(folder_ / "metrics.jsonl"));
  fs::remove(folder_ / "thesis.tex");
  write("metrics.jsonl", "");
  const RunFolderLock again(folder_);
  remove_beginning(folder_, again);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(RunFolder, a_beginning_is_removed_where_it_is_ours_alone) {
  const fs::path folder = make_run_folder(base_ / "run");
  const RunFolderLock lock(folder);
  std::ofstream(folder / "config.json") << "{}";
  std::ofstream(folder / "run.log") << "failed\n";
  EXPECT_TRUE(lock.is_in(folder));
  fs::rename(folder, base_ / "moved");
  fs::create_directory(folder);
  { const RunFolderLock of_somebody_else(folder); }
  remove_beginning(folder, lock);
  EXPECT_TRUE(fs::exists(folder / ".lock"));
  remove_beginning(base_ / "moved", lock);
  EXPECT_FALSE(fs::exists(base_ / "moved"));
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
}  // namespace lipizz::master::run_folder_test
