#include "nn/base/optimizer_squares.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::optimizer_squares_test {
namespace {

TEST(OptimizerSquares, are_counted_where_a_rule_takes_their_root) {
  EXPECT_EQ(n_squares(find_optimizer("adam")), 1U);
  EXPECT_EQ(n_squares(find_optimizer("adamw")), 1U);
  EXPECT_EQ(n_squares(find_optimizer("rmsprop")), 1U);
  EXPECT_EQ(n_squares(find_optimizer("adabelief")), 1U);
  EXPECT_EQ(n_squares(find_optimizer("lamb")), 1U);
  EXPECT_EQ(n_squares(find_optimizer("sgd")), 0U);
  EXPECT_EQ(n_squares(find_optimizer("lars")), 0U);
  EXPECT_THROW(n_squares(1000), InternalError);
}

TEST(OptimizerSquares, are_moments) {
  for (OptimizerId kind = 0; kind < optimizers().size(); ++kind) {
    EXPECT_LE(n_squares(kind), entry(kind).n_moments) << entry(kind).name;
  }
}

}  // namespace
}  // namespace lipizz::nn::optimizer_squares_test
