#include "data/hdf5_library.hpp"

#include <gmock/gmock.h>

#include "data/hdf5_files.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::hdf5_library_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Hdf5Library : public ::testing::Test {
 protected:
  Hdf5Listing listing() {
    const Hdf5Lock lock;
    const Hdf5Id file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    return list_datasets(file).value();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.h5";
};

TEST_F(Hdf5Library, lists_the_datasets_of_all_groups) {
  {
    const Hdf5Written file(path_);
    for (const char* group : {"train", "empty", "train/more"}) file.group(group);
    for (const char* name : {"x", "train/images", "train/more/labels"}) {
      file.dataset<std::uint8_t>(name, H5T_STD_U8LE, {2}, {1, 2});
    }
  }
  EXPECT_THAT(listing().names, ElementsAre("train/images", "train/more/labels", "x"));
  EXPECT_TRUE(listing().is_complete);
}

TEST_F(Hdf5Library, links_that_loop_lead_nowhere_twice) {
  {
    const Hdf5Written file(path_);
    file.group("a");
    file.group("a/b");
    file.dataset<std::uint8_t>("a/x", H5T_STD_U8LE, {2}, {1, 2});
    H5Lcreate_hard(file.id(), "a", file.id(), "a/b/a", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file.id(), "/", file.id(), "a/b/root", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/a", file.id(), "a/b/soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/x", file.id(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  }
  EXPECT_THAT(listing().names, ElementsAre("a/x"));
}

TEST_F(Hdf5Library, looks_eight_groups_deep) {
  {
    const Hdf5Written file(path_);
    std::string name;
    for (int i = 0; i < 9; ++i) {
      name += "/g";
      file.group(name);
    }
  }
  EXPECT_FALSE(listing().is_complete);
}

TEST_F(Hdf5Library, tells_the_reason_and_prints_nothing) {
  ::testing::internal::CaptureStderr();
  const Hdf5Lock lock;
  EXPECT_LT(H5Fopen((folder_ / "none.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_THAT(lock.reason(), HasSubstr("unable to open file"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace lipizz::data::hdf5_library_test
