#include "core/finite.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace lipizz::finite_test {
namespace {

template <class Value>
class Finite : public ::testing::Test {};
using Values = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Finite, Values);

TYPED_TEST(Finite, NoneAndAllOrdinaryNumbersAre) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_TRUE(all_finite(std::vector<TypeParam>{}));
  EXPECT_TRUE(all_finite(
      std::vector<TypeParam>{0, -0.0, Limits::max(), Limits::lowest(), Limits::denorm_min()}));
}

TYPED_TEST(Finite, OneThatIsNotIsFoundWhereverItStands) {
  using Limits = std::numeric_limits<TypeParam>;
  constexpr std::size_t kMoreThanAVector = 35;
  for (const TypeParam bad :
       {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::signaling_NaN()}) {
    for (std::size_t place = 0; place < kMoreThanAVector; ++place) {
      std::vector<TypeParam> values(kMoreThanAVector, 1);
      values[place] = bad;
      EXPECT_FALSE(all_finite(values)) << place;
    }
  }
}

}  // namespace
}  // namespace lipizz::finite_test
