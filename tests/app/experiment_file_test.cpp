#include "app/experiment_file.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::app::experiment_file_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A folder of experiments where an installed program would look; this program's own lies elsewhere.
class ExperimentFile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(share_ / "configs");
    fs::copy(LIPIZZ_SOURCE_DIR "/configs", share_ / "configs",
             fs::copy_options::overwrite_existing | fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(share_.parent_path()); }

  static std::string complaint_about(const fs::path& name) {
    try {
      find_experiment_file(name);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "found";
  }

  const fs::path share_ =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/lipizz";
};

TEST_F(ExperimentFile, one_that_comes_along_is_found_by_its_name) {
  const fs::path file = share_ / "configs/mustangs-mnist.json";
  for (const char* name :
       {"mustangs-mnist", "mustangs-mnist.json", "configs/mustangs-mnist.json"}) {
    EXPECT_EQ(find_experiment_file(name), file) << name;
  }
  EXPECT_THAT(experiment_files(), ::testing::Contains(file));
}

TEST_F(ExperimentFile, one_that_is_there_comes_first) {
  const fs::path before = fs::current_path();
  fs::current_path(LIPIZZ_SOURCE_DIR);
  EXPECT_EQ(find_experiment_file("configs/ring8.json"), "configs/ring8.json");
  fs::current_path(before);
}

TEST_F(ExperimentFile, a_path_that_is_nowhere_stays_what_it_is) {
  for (const char* name : {"", "/nowhere/ring8.json", "../configs/ring8.json"}) {
    EXPECT_EQ(find_experiment_file(name), name);
  }
}

TEST_F(ExperimentFile, a_name_that_is_nowhere_leads_to_the_nearest) {
  EXPECT_EQ(complaint_about("mustang-mnist"),
            "there is no configuration file mustang-mnist; did you mean \"mustangs-mnist\"?");
  EXPECT_THAT(complaint_about("Mustangs_MNIST.json"), HasSubstr("\"mustangs-mnist\"?"));
  EXPECT_EQ(complaint_about("nothing.json"),
            "there is no configuration file nothing.json; `lipizz list configs` has those that "
            "come along");
}

TEST_F(ExperimentFile, a_folder_is_none) {
  EXPECT_THAT(complaint_about(share_),
              HasSubstr(": expected a file, found a folder; --resume goes on"));
}

}  // namespace
}  // namespace lipizz::app::experiment_file_test
