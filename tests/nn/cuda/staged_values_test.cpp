#include "nn/cuda/staged_values.hpp"

#include <gtest/gtest.h>

namespace lipizz::nn::cuda::staged_values_test {
namespace {

TEST(StagedValues, have_places_of_their_own_that_stay) {
  StagedValues staged;
  EXPECT_EQ(staged.place({3}, 5), 0U);
  EXPECT_EQ(staged.place({7}, 5), padded<float>(5));
  EXPECT_EQ(staged.place({3}, 5), 0U);
  EXPECT_EQ(staged.size(), 2 * padded<float>(5));
}

TEST(StagedValues, are_made_once_until_values_change) {
  StagedValues staged;
  staged.place({3}, 5);
  EXPECT_TRUE(staged.has_to_be_made({3}));
  EXPECT_FALSE(staged.has_to_be_made({3}));
  staged.expire();
  EXPECT_TRUE(staged.has_to_be_made({3}));
  EXPECT_FALSE(staged.has_to_be_made({3}));
}

}  // namespace
}  // namespace lipizz::nn::cuda::staged_values_test
