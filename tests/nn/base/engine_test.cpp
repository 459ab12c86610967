#include "nn/base/engine.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::engine_test {
namespace {

TEST(Engine, names_are_read_back) {
  for (const Backend backend : {Backend::kReference, Backend::kOneDnn}) {
    EXPECT_EQ(parse_backend(to_string(backend)), backend);
  }
  for (const NumericsLevel level :
       {NumericsLevel::kBaseline, NumericsLevel::kAvx2, NumericsLevel::kAvx512}) {
    EXPECT_EQ(parse_numerics_level(to_string(level)), level);
  }
  EXPECT_THROW(parse_backend("onednm"), ConfigError);
  EXPECT_THROW(parse_numerics_level("avx"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn::engine_test
