#include "nn/network/summary.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "core/error.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn::summary_test {
namespace {

using ::testing::ElementsAre;

std::string refusal(const NetworkSpec& network) {
  try {
    summarise(network, "d");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Summary, has_shapes_parameters_and_operations_of_each_layer) {
  const Window odd{.kernel = 3, .stride = 2, .padding = 1};
  const NetworkSpec network{
      {6, 6, 2}, {{.outputs = 4, .kind = &kConvolutionLayer, .window = odd}, {.outputs = 5}}};
  const std::vector<LayerSummary> layers = summarise(network, "d");
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].kind, "convolution");
  EXPECT_THAT(layers[0].outputs, ElementsAre(3, 3, 4));
  EXPECT_EQ(layers[0].n_parameters, 3U * 3 * 2 * 4 + 4);
  EXPECT_EQ(layers[0].flops, 2U * 3 * 3 * (3 * 3 * 2 * 4));
  EXPECT_EQ(layers[1].kind, "linear");
  EXPECT_THAT(layers[1].outputs, ElementsAre(5));
  EXPECT_EQ(layers[1].n_parameters, 36U * 5 + 5);
  EXPECT_EQ(layers[1].flops, 2U * 36 * 5);
}

TEST(Summary, counts_what_the_layout_counts) {
  for (const ModelEntry& model : models()) {
    const GanSpec gan = make_model(model.name);
    for (const NetworkSpec& network : {gan.generator, gan.discriminator}) {
      std::size_t n = 0;
      for (const LayerSummary& layer : summarise(network, "model")) n += layer.n_parameters;
      EXPECT_EQ(n, parameter_layout(network).n_parameters) << model.name;
    }
  }
}

TEST(Summary, names_the_layer_that_does_not_suit_its_inputs) {
  EXPECT_EQ(refusal({{12}, {{12}, {.outputs = 2, .kind = &kConvolutionLayer}}}),
            "d.layers[1]: convolution takes images [N, H, W, C], not [1, 12]");
  EXPECT_EQ(refusal({{12}, {{.kind = &kReshapeLayer, .shape = {5}}}}),
            "d.layers[0]: reshape cannot make [1, 5] of [1, 12]");
  EXPECT_EQ(refusal({{2}, {{2}, {.kind = &kAddLayer, .from = {0, 2}}}}),
            "d.layers[1]: layer 2 takes the result of layer 2, which does not come before it");
  const Window hollow{.kernel = 2, .stride = 1, .padding = 5};
  EXPECT_EQ(refusal({{1, 1, 1},
                     {{.outputs = 1, .kind = &kTransposedConvolutionLayer, .window = hollow}}}),
            "d.layers[0]: transposed-convolution has more padding than [1, 1, 1, 1] gives");
}

TEST(Summary, refuses_a_layer_that_nobody_reads) {
  EXPECT_EQ(refusal({{2}, {{3}, {.outputs = 1, .from = {0}}}}),
            "d.layers[0]: no layer reads what it gives");
}

// Numbers that each are in range, and together would fill any memory.
TEST(Summary, refuses_what_no_machine_would_hold) {
  EXPECT_EQ(refusal({{65536, 65536, 65536}, {{1}}}),
            "d.inputs: expected 1 to 67108864 values in all, found more or none");
  EXPECT_EQ(refusal({{65536}, {{65536}}}),
            "d.layers[0]: expected at most 1073741824 parameters, found 4295032832");
  const Layer larger{.kind = &kUpsampleLayer, .window = {.kernel = 64}};
  EXPECT_EQ(refusal({{4, 4, 1}, {larger, larger, larger, {1}}}),
            "d.layers[1]: expected at most 67108864 values of a sample, found 268435456");
}

}  // namespace
}  // namespace lipizz::nn::summary_test
