#include "master/run_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
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
