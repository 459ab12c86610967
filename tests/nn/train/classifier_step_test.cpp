#include "nn/train/classifier_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/support.hpp"

namespace lipizz::nn::classifier_step_test {
namespace {

TEST(ClassifierStep, learns_to_tell_two_halves_of_the_plane_apart) {
  const NetworkSpec network{{2}, {{16, Activation::kRelu}, {2}}};
  for (const Engine& engine : testing::engines()) {
    Buffer<float> p = testing::initial(network, 1);
    Buffer<float> moments(2 * p.size());
    ClassifierStep step(engine, network, {.beta1 = 0.9}, 50);
    step.bind(p, moments);
    float first = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
      std::ranges::copy(testing::normals(100, i), step.input().begin());
      for (int row = 0; row < 50; ++row) {
        step.labels()[row] = step.input()[2 * row] > step.input()[2 * row + 1] ? 1.0f : 0.0f;
      }
      step.run(1e-2f, i);
      if (i == 0) first = step.loss();
    }
    EXPECT_GT(first, 0.5f);
    EXPECT_LT(step.loss(), 0.15f);
  }
}

}  // namespace
}  // namespace lipizz::nn::classifier_step_test
