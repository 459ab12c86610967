#include "nn/network/layer_fields.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/error.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn::layer_fields_test {
namespace {

std::string refusal(Layer layer, std::string_view name, const FieldValue& value) {
  try {
    set_field(layer, name, value, "g.layers[3]");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

TEST(LayerFields, reach_every_field) {
  Layer layer{.kind = &kConvolutionLayer};
  const auto set = [&](std::string_view name, const FieldValue& value) {
    set_field(layer, name, value, "here");
  };
  set("outputs", 8.0);
  set("activation", "leaky-relu");
  set("kernel", 4.0);
  set("stride", 2.0);
  set("padding", 1.0);
  set("bias", false);
  set("spectral_norm", true);
  set("gain", 1.5);
  set("from", std::vector<double>{0});
  EXPECT_EQ(layer.outputs, 8U);
  EXPECT_EQ(layer.activation, Activation::kLeakyRelu);
  EXPECT_EQ(layer.window, (Window{4, 2, 1}));
  EXPECT_FALSE(layer.has_bias);
  EXPECT_TRUE(layer.has_spectral_norm);
  EXPECT_EQ(layer.gain, 1.5f);
  EXPECT_THAT(layer.from, ::testing::ElementsAre(0U));
  set("kind", "reshape");
  set("shape", std::vector<double>{2, 3});
  EXPECT_THAT(layer.shape, ::testing::ElementsAre(2U, 3U));
}

// The described fields of every layer of every model make it again.
TEST(LayerFields, describe_layers_so_that_they_can_be_made_again) {
  const auto remade = [](const Layer& layer) {
    Layer made;
    for (const auto& [name, value] : described_fields(layer)) set_field(made, name, value, "here");
    return made;
  };
  std::size_t n_layers = 0;
  for (const ModelEntry& model : models()) {
    for (const std::uint32_t n_classes : {0U, 3U}) {
      const GanSpec gan =
          make_model(model.name, {.n_classes = model.can_be_conditional ? n_classes : 0});
      for (const NetworkSpec* network : {&gan.generator, &gan.discriminator}) {
        NetworkSpec again = *network;
        std::ranges::transform(network->layers, again.layers.begin(), remade);
        for (std::size_t i = 0; i < again.layers.size(); ++i, ++n_layers) {
          EXPECT_EQ(described_fields(again.layers[i]), described_fields(network->layers[i]));
          EXPECT_EQ(again.layers[i].gain, network->layers[i].gain);
          EXPECT_EQ(again.layers[i].rate, network->layers[i].rate);
        }
        EXPECT_EQ(parameter_layout(again).n_padded, parameter_layout(*network).n_padded);
      }
    }
  }
  EXPECT_GT(n_layers, 100U);
}

// A member that is added to Layer does not compile here until the table has its row.
TEST(LayerFields, are_as_many_as_a_layer_has_members) {
  [[maybe_unused]] const auto& [outputs, activation, kind, window, bias, spectral_norm, gain, shape,
                                from, rate, offset] = Layer{};
  [[maybe_unused]] const auto& [kernel, stride, padding, groups] = window;
  EXPECT_EQ(layer_fields().size(), 11U - 1U + 4U);
}

TEST(LayerFields, are_what_kinds_say_that_they_read) {
  for (const LayerKind* kind : layers()) {
    for (const std::string_view name : kind->reads) {
      EXPECT_EQ(std::ranges::count(layer_fields(), name, &LayerField::name), 1)
          << kind->name << " " << name;
    }
  }
}

TEST(LayerFields, refuse_what_is_none_of_them) {
  const Layer layer{.kind = &kConvolutionLayer};
  EXPECT_EQ(refusal(layer, "kernal", 3.0),
            "g.layers[3].kernal: there is no field \"kernal\"; did you mean \"kernel\"?");
  EXPECT_EQ(refusal(layer, "kernel", 0.0),
            "g.layers[3].kernel: expected a whole number from 1 to 64, found 0");
  EXPECT_EQ(refusal(layer, "kernel", 2.5),
            "g.layers[3].kernel: expected a whole number from 1 to 64, found 2.5");
  EXPECT_EQ(refusal(layer, "bias", 1.0), "g.layers[3].bias: expected true or false, found 1");
  EXPECT_EQ(refusal(layer, "gain", -1.0),
            "g.layers[3].gain: expected a number from 0 to 1000, found -1");
  EXPECT_EQ(refusal(layer, "activation", "tan"),
            "g.layers[3].activation: there is no activation \"tan\"; did you mean \"tanh\"?");
  EXPECT_EQ(refusal(layer, "kind", "convolutoin"),
            "g.layers[3].kind: there is no kind of layer \"convolutoin\"; did you mean "
            "\"convolution\"?");
  EXPECT_EQ(refusal(layer, "from", std::vector<double>(17)),
            "g.layers[3].from: expected a list of 1 to 16 whole numbers, each from 0 to 65536, "
            "found [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
}

TEST(LayerFields, refuse_what_the_kind_does_not_read) {
  EXPECT_EQ(refusal({.kind = &kAddLayer}, "kernel", 3.0),
            "g.layers[3].kernel: add does not read it; it reads activation, from");
}

}  // namespace
}  // namespace lipizz::nn::layer_fields_test
