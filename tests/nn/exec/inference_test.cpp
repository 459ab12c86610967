#include "nn/exec/inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/support.hpp"

namespace lipizz::nn::inference_test {
namespace {

TEST(Inference, a_row_of_an_inference_depends_on_that_row_alone) {
  const GanSpec gan = make_model("mlp");
  const Buffer<float> g = testing::initial(gan.generator, 5);
  for (const auto& device : testing::devices()) {
    Inference run(*device, gan.generator, 8, 1);
    Buffer<float> z = testing::normals(8 * 64, 1);
    Buffer<float> first(8 * 784);
    Buffer<float> second(8 * 784);
    testing::infer(*device, run, g, z, first);
    std::ranges::copy(testing::normals(7 * 64, 2), z.begin() + 64);  // all rows but the first
    testing::infer(*device, run, g, z, second);
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + 784, second.begin()));
    EXPECT_FALSE(std::equal(first.begin() + 784, first.end(), second.begin() + 784));
  }
}

TEST(Inference, an_inference_can_end_at_an_inner_layer) {
  const NetworkSpec network{{4}, {{3, Activation::kRelu}, {2}}};
  const Buffer<float> p = testing::initial(network, 5);
  const Buffer<float> x = testing::normals(2 * 4, 1);
  Buffer<float> hidden(2 * 3);
  HostDevice host;
  Inference run(host, network, 2, 1, 1);
  testing::infer(host, run, p, x, hidden);
  for (int row = 0; row < 2; ++row) {
    for (int j = 0; j < 3; ++j) {
      double sum = p[12 + j];
      for (int i = 0; i < 4; ++i) sum += double{x[4 * row + i]} * p[3 * i + j];
      EXPECT_NEAR(hidden[3 * row + j], std::max(0.0, sum), 1e-6);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::inference_test
