#include "nn/cpu/numerics.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::numerics_test {
namespace {

TEST(Numerics, the_reference_computes_at_the_baseline_only) {
  EXPECT_NO_THROW(fix_numerics({Backend::kReference, NumericsLevel::kBaseline}));
  EXPECT_THROW(fix_numerics({Backend::kReference, NumericsLevel::kAvx2}), ConfigError);
}

TEST(Numerics, bf16_is_for_processors_and_levels_that_have_it) {
  const auto check = [](Backend backend, NumericsLevel level) {
    check_bf16({.backend = backend, .level = level, .precision = Precision::kBf16});
  };
  EXPECT_NO_THROW(check_bf16({Backend::kReference, NumericsLevel::kBaseline}));
  EXPECT_THROW(check(Backend::kReference, NumericsLevel::kBaseline), ConfigError);
  EXPECT_THROW(check(Backend::kOneDnn, NumericsLevel::kAvx2), ConfigError);
  EXPECT_THROW(check(Backend::kOneDnn, NumericsLevel::kAvx512), ConfigError);
  const NumericsLevel highest = detect_numerics_level(Precision::kBf16);
  if (has_bf16(highest)) {
    EXPECT_NO_THROW(check(Backend::kOneDnn, highest));
    EXPECT_NO_THROW(check(Backend::kOneDnn, NumericsLevel::kAvx512Bf16)) << "with AMX, too";
  } else {
    EXPECT_THROW(check(Backend::kOneDnn, highest), ConfigError);
    EXPECT_THROW(check(Backend::kOneDnn, NumericsLevel::kAvx512Bf16), ConfigError);
  }
}

TEST(Numerics, levels_with_bf16_are_offered_for_that_alone) {
  EXPECT_FALSE(has_bf16(detect_numerics_level()));
  EXPECT_EQ(without_bf16(detect_numerics_level(Precision::kBf16)), detect_numerics_level());
  EXPECT_EQ(highest_level(Backend::kReference, Precision::kBf16), NumericsLevel::kBaseline);
}

TEST(Numerics, a_level_once_fixed_cannot_be_changed) {
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  const NumericsLevel level = detect_numerics_level();
  if (level == NumericsLevel::kBaseline) GTEST_SKIP() << "this machine has one level only";
  fix_numerics({Backend::kOneDnn, NumericsLevel::kBaseline});
  EXPECT_NO_THROW(fix_numerics({Backend::kOneDnn, NumericsLevel::kBaseline}));
  EXPECT_THROW(fix_numerics({Backend::kOneDnn, level}), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn::numerics_test
