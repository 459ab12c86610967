#include "checkpoint/pytorch.hpp"

#include <gmock/gmock.h>

#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"

namespace lipizz::checkpoint::pytorch_test {
namespace {

using ::testing::ElementsAre;

std::string sequential(const nn::NetworkSpec& network) {
  return pytorch_sequential(nn::modules_of(network), network.inputs);
}

TEST(Pytorch, writes_chains_of_images) {
  constexpr auto kRelu = nn::Activation::kRelu;
  EXPECT_EQ(
      sequential(
          {{1, 1, 9},
           {{4, nn::Activation::kNone, &nn::kTransposedConvolutionLayer, {.kernel = 7}, false},
            {.activation = kRelu, .kind = &nn::kBatchNormLayer},
            {.kind = &nn::kUpsampleLayer, .window = {.kernel = 2}},
            {2, nn::Activation::kTanh, &nn::kConvolutionLayer, {3, 1, 1}},
            {.kind = &nn::kInstanceNormLayer, .has_bias = false},
            {.kind = &nn::kLayerNormLayer}}}),
      "torch.nn.Sequential(torch.nn.ConvTranspose2d(9, 4, 7, stride=1, padding=0, bias=False), "
      "torch.nn.BatchNorm2d(4, eps=1e-05), torch.nn.ReLU(), torch.nn.Upsample(scale_factor=2), "
      "torch.nn.Conv2d(4, 2, 3, stride=1, padding=1), torch.nn.Tanh(), "
      "torch.nn.InstanceNorm2d(2, eps=1e-05), torch.nn.GroupNorm(1, 2, eps=1e-05))");
}

// PyTorch would lay out the images by channels first, and its sums of blocks are no module.
TEST(Pytorch, has_no_chain_for_what_it_would_compute_otherwise) {
  EXPECT_EQ(sequential({{2, 2, 3}, {{.outputs = 1}}}), "");
  EXPECT_EQ(sequential({{2, 2, 3}, {{.kind = &nn::kSumPoolLayer, .window = {.kernel = 2}}}}), "");
  EXPECT_EQ(sequential({{4}, {{.kind = &nn::kReshapeLayer, .shape = {2, 2, 1}}}}), "");
}

TEST(Pytorch, has_shapes_and_names_of_its_own) {
  EXPECT_THAT(pytorch_shape({.name = "weight",
                             .offset = 0,
                             .shape = {3, 3, 2, 5},
                             .role = nn::Role::kWeight,
                             .fan_in = 1,
                             .fan_out = 1}),
              ElementsAre(5, 2, 3, 3));
  EXPECT_EQ(pytorch_name({.name = "theta",
                          .offset = 0,
                          .shape = {1, 1, 2, 5},
                          .role = nn::Role::kWeight,
                          .fan_in = 1,
                          .fan_out = 1}),
            "theta.weight");
  EXPECT_EQ(pytorch_name({.name = "gamma",
                          .offset = 0,
                          .shape = {1},
                          .role = nn::Role::kShift,
                          .fan_in = 1,
                          .fan_out = 1}),
            "gamma");
}

}  // namespace
}  // namespace lipizz::checkpoint::pytorch_test
