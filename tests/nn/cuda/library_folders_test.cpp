#include "nn/cuda/library_folders.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "support/temporary_folder.hpp"

namespace lipizz::nn::cuda::library_folders_test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using Folders = std::vector<fs::path>;

class LibraryFolders : public ::testing::Test {
 protected:
  fs::path made(const std::string& name) {
    fs::create_directories(folder_.path() / name);
    return folder_.path() / name;
  }
  // A package of Python's as pip lays it out.
  fs::path package(const std::string& prefix, const std::string& name,
                   const std::string& python = "python3.12") {
    return made(prefix + "/lib/" + python + "/site-packages/nvidia/" + name + "/lib");
  }
  // Those below the temporary folder, so that no package of this machine's matters.
  Folders found(std::map<std::string, std::string> environment) {
    Folders all =
        library_folders([&](const char* name) { return environment[name]; }, "/toolkit/lib64");
    std::erase_if(all, [&](const fs::path& folder) {
      return !folder.string().starts_with(folder_.path().string());
    });
    return all;
  }
  std::string named(const std::string& name) { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(LibraryFolders, begin_with_the_system_s_and_the_toolkit_s) {
  const Folders all = library_folders([](const char*) { return ""; }, "/toolkit/lib64");
  ASSERT_GE(all.size(), 3U);
  EXPECT_EQ(all[0], "");
  EXPECT_EQ(all[1], "/toolkit/lib64");
  EXPECT_EQ(all[2], "/usr/local/cuda/lib64");
}

TEST_F(LibraryFolders, a_toolkit_that_is_named_comes_before_the_one_of_the_build) {
  const Folders all = library_folders(
      [](const char* name) { return name == std::string("CUDA_HOME") ? "/mine" : ""; }, "/toolkit");
  EXPECT_LT(std::ranges::find(all, "/mine/lib64"), std::ranges::find(all, "/toolkit"));
  EXPECT_LT(std::ranges::find(all, "/mine/lib"), std::ranges::find(all, "/toolkit"));
}

TEST_F(LibraryFolders, hold_the_packages_of_a_virtual_environment) {
  const fs::path cudnn = package("venv", "cudnn");
  const fs::path toolkit = package("venv", "cu13");
  made("venv/lib/python3.12/site-packages/nvidia/no_library");
  EXPECT_THAT(found({{"VIRTUAL_ENV", named("venv")}}), ElementsAre(cudnn, toolkit));
}

TEST_F(LibraryFolders, hold_conda_s_own_and_its_packages) {
  const fs::path cudnn = package("conda", "cudnn");
  EXPECT_THAT(found({{"CONDA_PREFIX", named("conda")}}), ElementsAre(named("conda/lib"), cudnn));
}

TEST_F(LibraryFolders, hold_the_packages_of_the_first_python_on_the_path) {
  const fs::path of_environment = package("venv", "cublas");
  const fs::path of_python = package("python", "cublas");
  package("other", "cublas");
  made("empty");
  for (const char* prefix : {"python", "other"}) {
    fs::copy_file("/bin/true", made(prefix + std::string("/bin")) / "python3");
  }
  fs::create_symlink(named("python/bin/python3"), made("venv/bin") / "python3");
  const std::string path = named("empty") + ":" + named("venv/bin") + ":" + named("other/bin");
  EXPECT_THAT(found({{"PATH", path}}), ElementsAre(of_environment, of_python));
}

TEST_F(LibraryFolders, hold_the_packages_of_the_user) {
  const fs::path cudnn = package("home/.local", "cudnn", "python3.9");
  EXPECT_THAT(found({{"HOME", named("home")}}), ElementsAre(cudnn));
}

TEST_F(LibraryFolders, are_each_named_once) {
  const fs::path cudnn = package("venv", "cudnn");
  EXPECT_THAT(found({{"VIRTUAL_ENV", named("venv")}, {"CONDA_PREFIX", named("venv")}}),
              ElementsAre(named("venv/lib"), cudnn));
}

}  // namespace
}  // namespace lipizz::nn::cuda::library_folders_test
