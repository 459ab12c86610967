#include "app/experiment_file.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A folder of experiments where an installed program would look; this program's own lies elsewhere.
class ExperimentFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(share_ / "configs");
    for (const fs::path& entry : fs::directory_iterator(LIPIZZ_SOURCE_DIR "/configs")) {
      fs::copy_file(entry, share_ / "configs" / entry.filename(),
                    fs::copy_options::overwrite_existing);
    }
  }
  void TearDown() override { fs::remove_all(share_.parent_path()); }

  const fs::path share_ =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/lipizz";
};

TEST_F(ExperimentFile, one_that_comes_along_is_found_by_its_name) {
  const fs::path file = share_ / "configs/mustangs-mnist.json";
  for (const char* name :
       {"mustangs-mnist", "mustangs-mnist.json", "configs/mustangs-mnist.json"}) {
    EXPECT_EQ(find_experiment_file(name), file) << name;
  }
  EXPECT_THAT(experiment_files(), testing::Contains(file));
}

TEST_F(ExperimentFile, one_that_is_there_comes_first) {
  const fs::path before = fs::current_path();
  fs::current_path(LIPIZZ_SOURCE_DIR);
  EXPECT_EQ(find_experiment_file("configs/ring8.json"), "configs/ring8.json");
  fs::current_path(before);
}

TEST_F(ExperimentFile, what_is_nowhere_stays_what_it_is) {
  for (const char* name : {"", "nothing.json", "/nowhere/ring8.json", "../configs/ring8.json"}) {
    EXPECT_EQ(find_experiment_file(name), name);
  }
}

TEST_F(ExperimentFile, a_folder_is_none) {
  try {
    find_experiment_file(share_);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr(": expected a file, found a folder; --resume goes on"));
  }
}

}  // namespace
}  // namespace lipizz::app
