#include "nn/cuda/vendor_library.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::nn::cuda::vendor_library_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kFile = "liblipizz_fake_vendor.so.9";

TEST(VendorLibrary, is_opened_where_pip_has_put_it) {
  const TemporaryFolder environment;
  const fs::path folder = environment.path() / "lib/python3.12/site-packages/nvidia/fake/lib";
  fs::create_directories(folder);
  fs::copy_file(LIPIZZ_FAKE_LIBRARY, folder / kFile);
  setenv("VIRTUAL_ENV", environment.path().c_str(), 1);
  const SharedLibrary library = open_vendor_library("fake 9", kFile, "nvidia-fake");
  unsetenv("VIRTUAL_ENV");
  EXPECT_TRUE(library.is_open());
}

TEST(VendorLibrary, that_is_missing_is_named_with_the_places_and_what_to_do) {
  try {
    open_vendor_library("fake 9", kFile, "nvidia-fake");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("fake 9"), HasSubstr(kFile), HasSubstr("LD_LIBRARY_PATH"),
                      HasSubstr("/nowhere"), HasSubstr("pip install nvidia-fake")));
  }
}

}  // namespace
}  // namespace lipizz::nn::cuda::vendor_library_test
