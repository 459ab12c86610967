#include "master/set_aside.hpp"

#include <gmock/gmock.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::master::set_aside_test {
namespace {

namespace fs = std::filesystem;
using checkpoint::testing::read_file;
using checkpoint::testing::write_file;

TEST(SetAside, each_time_into_a_folder_of_its_own) {
  const TemporaryFolder run;
  EXPECT_EQ(make_set_aside(run / ""), run / "set-aside-1");
  EXPECT_EQ(make_set_aside(run / ""), run / "set-aside-2");
  EXPECT_THROW(make_set_aside(run / "none"), CheckpointError);
}

TEST(SetAside, moves_progress_and_leaves_the_rest) {
  const TemporaryFolder run;
  fs::create_directories(run / "checkpoints/generation-000001");
  for (const char* name : {"metrics.jsonl", "saved.json", "config.json", "run.log"}) {
    write_file(run / name, name);
  }
  fs::create_directories(run / "mixture-best");
  const fs::path there = set_progress_aside(run / "");
  EXPECT_TRUE(fs::is_directory(there / "mixture-best")) << "another build may not make it again";
  EXPECT_TRUE(fs::is_directory(there / "checkpoints/generation-000001"));
  EXPECT_EQ(read_file(there / "metrics.jsonl"), "metrics.jsonl");
  EXPECT_EQ(read_file(there / "saved.json"), "saved.json");
  EXPECT_TRUE(fs::exists(run / "config.json"));
  EXPECT_TRUE(fs::exists(run / "run.log"));
  EXPECT_EQ(run.n_files(), 3) << "with the folder itself";
}

TEST(SetAside, moves_a_result_with_its_mixture_and_nothing_where_there_is_none) {
  const TemporaryFolder run;
  write_file(run / "metrics.jsonl", "m");
  set_result_aside(run / "");
  EXPECT_EQ(run.n_files(), 1);
  write_file(run / "result.json", "r");
  fs::create_directories(run / "mixture/cell-0");
  set_result_aside(run / "");
  EXPECT_EQ(read_file(run / "set-aside-1/result.json"), "r");
  EXPECT_TRUE(fs::is_directory(run / "set-aside-1/mixture/cell-0"));
  EXPECT_TRUE(fs::exists(run / "metrics.jsonl"));
  EXPECT_FALSE(fs::exists(run / "result.json"));
}

TEST(SetAside, what_only_leads_to_progress_moves_too) {
  const TemporaryFolder run;
  fs::create_symlink("/nowhere/mounted", run / "checkpoints");
  EXPECT_TRUE(fs::is_symlink(set_progress_aside(run / "") / "checkpoints"));
}

}  // namespace
}  // namespace lipizz::master::set_aside_test
