#include "nn/network/modules.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "nn/network/layers.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn::modules_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As torch.nn.Sequential(Linear, LeakyReLU, Linear) counts them.
TEST(Modules, an_activation_is_one_of_its_own) {
  const auto modules = modules_of({{3}, {{2, Activation::kLeakyRelu}, {1}}});
  ASSERT_EQ(modules.size(), 3U);
  EXPECT_EQ(modules[0].kind, "linear");
  EXPECT_EQ(modules[0].shape, Shape{2});
  EXPECT_THAT(modules[0].from, ElementsAre(Module::kInput));
  EXPECT_EQ(modules[0].tensors[0].name, "weight");
  EXPECT_EQ(modules[1].kind, "leaky-relu");
  EXPECT_THAT(modules[1].settings, ElementsAre(DescribedField{"slope", 0.2}));
  EXPECT_THAT(modules[1].from, ElementsAre(0));
  EXPECT_THAT(modules[1].tensors, IsEmpty());
  EXPECT_THAT(modules[2].from, ElementsAre(1));
  EXPECT_EQ(modules[2].tensors[1].offset, 2U * 3 + 2 + 2);
}

TEST(Modules, a_layer_takes_what_another_ends_with) {
  const auto modules =
      modules_of({{2}, {{2, Activation::kTanh}, {2}, {.kind = &kAddLayer, .from = {0, 1, 2}}}});
  ASSERT_EQ(modules.size(), 4U);
  EXPECT_THAT(modules[3].from, ElementsAre(Module::kInput, 1, 2));
}

TEST(Modules, tell_every_setting_of_a_forward_pass) {
  const auto modules =
      modules_of({{4, 4, 2},
                  {{3, Activation::kNone, &kConvolutionLayer, {.kernel = 2}, false},
                   {.activation = Activation::kRelu, .kind = &kBatchNormLayer}}});
  ASSERT_EQ(modules.size(), 3U);
  EXPECT_THAT(modules[0].settings,
              ElementsAre(DescribedField{"outputs", 3.0}, DescribedField{"kernel", 2.0},
                          DescribedField{"stride", 1.0}, DescribedField{"padding", 0.0},
                          DescribedField{"groups", 1.0}, DescribedField{"bias", false}));
  EXPECT_THAT(modules[1].settings,
              ElementsAre(DescribedField{"bias", true}, DescribedField{"epsilon", 1e-5}));
  std::vector<std::string> tensors;
  for (const ParameterBlock& tensor : modules[1].tensors) tensors.push_back(tensor.name);
  EXPECT_THAT(tensors, ElementsAre("weight", "bias", "running_mean", "running_var"));
}

TEST(Modules, have_every_tensor_of_every_model_once) {
  for (const ModelEntry& model : models()) {
    const NetworkSpec generator =
        make_model(model.name, {.n_classes = model.can_be_conditional ? 3U : 0}).generator;
    std::size_t n = 0;
    for (const Module& module : modules_of(generator)) n += module.tensors.size();
    const ParameterLayout layout = parameter_layout(generator);
    EXPECT_EQ(n, layout.blocks.size() + layout.statistics.size()) << model.name;
  }
}

TEST(Modules, a_layer_that_does_nothing_is_the_identity) {
  EXPECT_EQ(modules_of({{2}, {{.kind = &kActivationLayer}}})[0].kind, "identity");
}

}  // namespace
}  // namespace lipizz::nn::modules_test
