#include "nn/exec/libraries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "nn/cpu/onednn_engine.hpp"

namespace lipizz::nn::libraries_test {
namespace {

TEST(Libraries, tell_what_computes_here) {
  const std::vector<Library> all = libraries();
  const auto has = [&](const char* name) {
    return std::ranges::find(all, name, &Library::name) != all.end();
  };
  EXPECT_TRUE(has("Eigen"));
  EXPECT_EQ(has("oneDNN"), has_onednn());
  for (const auto& [name, version] : all) {
    EXPECT_EQ(std::ranges::count(version, '.'), 2) << name << " " << version;
    EXPECT_TRUE(std::isdigit(version.front())) << name << " " << version;
  }
}

}  // namespace
}  // namespace lipizz::nn::libraries_test
