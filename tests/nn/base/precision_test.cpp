#include "nn/base/precision.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::precision_test {
namespace {

TEST(Precision, has_names_that_read_back) {
  for (const Precision precision : {Precision::kF32, Precision::kTf32, Precision::kBf16}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  }
  EXPECT_THROW(parse_precision("fp32"), ConfigError);
}

TEST(Precision, allows_more_where_factors_have_fewer_bits) {
  EXPECT_LT(tolerance_of(Precision::kF32), tolerance_of(Precision::kTf32));
  EXPECT_LT(tolerance_of(Precision::kTf32), tolerance_of(Precision::kBf16));
}

}  // namespace
}  // namespace lipizz::nn::precision_test
