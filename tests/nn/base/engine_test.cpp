#include "nn/base/engine.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::engine_test {
namespace {

TEST(Engine, names_are_read_back) {
  for (const Backend backend : {Backend::kReference, Backend::kOneDnn}) {
    EXPECT_EQ(parse_backend(to_string(backend)), backend);
  }
  for (const NumericsLevel level : kNumericsLevels) {
    EXPECT_EQ(parse_numerics_level(to_string(level)), level);
  }
  EXPECT_THROW(parse_backend("onednm"), ConfigError);
  EXPECT_THROW(parse_numerics_level("avx"), ConfigError);
}

TEST(Engine, levels_with_bf16_have_the_bits_of_one_without) {
  using enum NumericsLevel;
  for (const NumericsLevel level : {kBaseline, kAvx2, kAvx512}) {
    EXPECT_FALSE(has_bf16(level));
    EXPECT_EQ(without_bf16(level), level);
  }
  for (const NumericsLevel level : {kAvx512Bf16, kAmx}) {
    EXPECT_TRUE(has_bf16(level));
    EXPECT_EQ(without_bf16(level), kAvx512);
  }
}

}  // namespace
}  // namespace lipizz::nn::engine_test
