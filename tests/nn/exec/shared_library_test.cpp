#include "nn/exec/shared_library.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::nn::shared_library_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kName = "liblipizz_fake_driver.so.1";

class SharedLibraryTest : public ::testing::Test {
 protected:
  fs::path folder(const char* name) {
    fs::create_directories(folder_.path() / name);
    return folder_.path() / name;
  }
  fs::path with_library(const char* name) {
    fs::copy_file(LIPIZZ_FAKE_LIBRARY, folder(name) / kName);
    return folder(name);
  }
  fs::path with_nonsense(const char* name) {
    std::ofstream(folder(name) / kName) << "this is no library";
    return folder(name);
  }

  TemporaryFolder folder_;
};

TEST_F(SharedLibraryTest, is_opened_in_the_first_folder_that_has_it) {
  const std::vector<fs::path> folders{"", folder("empty"), with_library("full")};
  const SharedLibrary library(kName, folders);
  EXPECT_TRUE(library.is_open());
  EXPECT_EQ(library.complaint(), "");
  int (*answer)() = nullptr;
  library.find("lipizz_fake_answer", answer);
  EXPECT_EQ(answer(), 42);
}

TEST_F(SharedLibraryTest, says_where_it_was_looked_for) {
  const std::vector<fs::path> folders{"", folder("a"), "/nowhere"};
  const SharedLibrary library(kName, folders);
  EXPECT_FALSE(library.is_open());
  EXPECT_FALSE(library.is_there());
  EXPECT_THAT(library.complaint(), AllOf(HasSubstr(kName), HasSubstr("LD_LIBRARY_PATH"),
                                         HasSubstr(folder("a").string()), HasSubstr("/nowhere")));
}

TEST_F(SharedLibraryTest, says_why_one_that_is_there_is_not_opened) {
  const std::vector<fs::path> folders{folder("empty"), with_nonsense("nonsense")};
  const SharedLibrary library(kName, folders);
  EXPECT_FALSE(library.is_open());
  EXPECT_TRUE(library.is_there());
  EXPECT_THAT(library.complaint(), AllOf(HasSubstr((folder("nonsense") / kName).string()),
                                         HasSubstr("cannot be loaded")));
}

TEST_F(SharedLibraryTest, one_that_opens_makes_good_for_one_that_does_not) {
  const std::vector<fs::path> folders{with_nonsense("nonsense"), with_library("full")};
  EXPECT_TRUE(SharedLibrary(kName, folders).is_open());
}

TEST_F(SharedLibraryTest, of_another_version_lacks_a_function) {
  const std::vector<fs::path> folders{with_library("full")};
  int (*answer)() = nullptr;
  try {
    SharedLibrary(kName, folders).find("lipizz_other_answer", answer);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(kName), HasSubstr("lipizz_other_answer")));
  }
}

}  // namespace
}  // namespace lipizz::nn::shared_library_test
