#include "report/run_folders.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::run_folders_test {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

class RunFoldersTest : public ::testing::Test {
 protected:
  fs::path run(const std::string& name) {
    fs::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "config.json") << "{}";
    return folder_ / name;
  }
  std::string message_for(const fs::path& path) {
    try {
      run_folders(Paths{path});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }

  TemporaryFolder folder_;
};

TEST_F(RunFoldersTest, a_run_is_itself_and_another_folder_is_the_runs_below_it) {
  const fs::path b = run("b");
  const fs::path a = run("deep/er/a");
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(run_folders(Paths{b}), Paths{b});
  EXPECT_EQ(run_folders(Paths{folder_.path()}), (Paths{b, a}));
  EXPECT_EQ(run_folders(Paths{a, b}), (Paths{a, b}));
}

TEST_F(RunFoldersTest, a_run_counts_once_however_it_is_named) {
  const fs::path a = run("a");
  fs::create_directory_symlink(a, folder_ / "link");
  EXPECT_EQ(run_folders(Paths{a, a / "", folder_.path(), folder_ / "link"}), Paths{a});
}

TEST_F(RunFoldersTest, what_lies_inside_of_a_run_is_not_looked_into) {
  const fs::path a = run("a");
  run("a/set-aside-1");
  EXPECT_EQ(run_folders(Paths{folder_.path()}), Paths{a});
}

TEST_F(RunFoldersTest, an_ensemble_is_no_run) {
  const fs::path a = run("a");
  std::ofstream(run("both") / "ensemble.json") << "{}";
  EXPECT_EQ(run_folders(Paths{folder_.path()}), Paths{a});
  EXPECT_NE(message_for(folder_ / "both").find("found an ensemble"), std::string::npos);
}

TEST_F(RunFoldersTest, folders_that_are_too_deep_are_not_looked_into) {
  const fs::path near = run("1/2/3/4/5/6/7/8");
  run("a/2/3/4/5/6/7/8/9");
  EXPECT_EQ(run_folders(Paths{folder_.path()}), Paths{near});
}

TEST_F(RunFoldersTest, what_is_no_run_is_an_error_that_says_what_is_there) {
  run("a");
  fs::create_directories(folder_ / "empty");
  EXPECT_NE(message_for(folder_ / "none").find("found nothing at"), std::string::npos);
  EXPECT_NE(message_for(folder_ / "a/config.json").find("found a file at"), std::string::npos);
  EXPECT_NE(message_for(folder_ / "empty").find("no config.json at or below"), std::string::npos);
}

}  // namespace
}  // namespace lipizz::report::run_folders_test
