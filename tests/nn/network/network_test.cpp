#include "nn/network/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/network/models.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::network_test {
namespace {

TEST(ParameterLayout, lies_in_layer_order_without_gaps_and_is_padded) {
  const ParameterLayout layout = parameter_layout(make_model("mlp").generator);
  EXPECT_EQ(layout.n_parameters, 283920U);
  EXPECT_EQ(layout.n_padded % 16, 0U);
  std::size_t next = 0;
  for (const ParameterBlock& block : layout.blocks) {
    EXPECT_EQ(block.offset, next) << block.name;
    next += n_elements(block.shape);
  }
  EXPECT_EQ(next, layout.n_parameters);
  EXPECT_EQ(layout.blocks[2].name, "1.weight");
}

TEST(Initialise, is_uniform_within_the_fan_in_bound_and_zero_in_the_padding) {
  const NetworkSpec network{{64}, {{256, Activation::kTanh}, {1}}};
  const Buffer<float> p = testing::initial(network, 9);
  const ParameterLayout layout = parameter_layout(network);
  for (const ParameterBlock& block : layout.blocks) {
    const double bound = 1 / std::sqrt(block.fan_in);
    const auto n = n_elements(block.shape);
    double square = 0;
    for (std::size_t i = block.offset; i < block.offset + n; ++i) {
      ASSERT_LE(std::abs(p[i]), bound);
      square += double{p[i]} * p[i];
    }
    const double expected = bound * bound / 3;
    EXPECT_NEAR(square / static_cast<double>(n), expected, n > 1000 ? 0.05 * expected : expected);
  }
  EXPECT_TRUE(std::all_of(p.begin() + static_cast<std::ptrdiff_t>(layout.n_parameters), p.end(),
                          [](float v) { return v == 0; }));
  EXPECT_NE(p, testing::initial(network, 10));
}

}  // namespace
}  // namespace lipizz::nn::network_test
