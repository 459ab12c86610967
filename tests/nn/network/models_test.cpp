#include "nn/network/models.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace lipizz::nn::models_test {
namespace {

using ::testing::HasSubstr;

void expect_counts(std::string_view name, std::size_t generator, std::size_t discriminator,
                   std::uint32_t n_classes = 0) {
  const GanSpec gan = make_model(name, {.n_classes = n_classes});
  EXPECT_EQ(parameter_layout(gan.generator).n_parameters, generator) << name;
  EXPECT_EQ(parameter_layout(gan.discriminator).n_parameters, discriminator) << name;
}

TEST(Models, have_the_published_parameter_counts) {
  expect_counts("mlp", 283920, 267009);
  expect_counts("mlp-2d", 49666, 17025);
  expect_counts("dcgan28", 759680, 138624);
  expect_counts("dcgan32", 1068928, 663296);
  expect_counts("dcgan64", 3576704, 2765568);
  expect_counts("dcgan128", 12786560, 11164416);
  expect_counts("sngan32", 4276739, 1053824);
  expect_counts("sngan32", 4304387, 1053824 + 1280, 10);
  expect_counts("biggan32", 4304387, 4207361, 10);
  expect_counts("biggan32-attention", 9416196, 10194053, 10);
  expect_counts("biggan128", 70433988, 87982370, 1000);
  expect_counts("pix2pix", 54413955, 2768705);
}

TEST(Models, pix2pix_judges_patches) {
  EXPECT_EQ(n_outputs(make_model("pix2pix").discriminator), 30U * 30);
  EXPECT_EQ(n_outputs(make_model("pix2pix32").discriminator), 14U * 14);
}

TEST(Models, a_discriminator_takes_what_its_generator_gives) {
  for (const ModelEntry& model : models()) {
    for (const std::uint32_t n_classes : {0U, 10U}) {
      if (n_classes > 0 && !model.can_be_conditional) continue;
      const GanSpec gan = make_model(model.name, {.n_classes = n_classes});
      EXPECT_EQ(n_outputs(gan.generator), gan.discriminator.n_inputs()) << model.name;
      EXPECT_EQ(gan.n_classes(), n_classes);
      EXPECT_EQ(gan.discriminator.n_classes, n_classes);
      const bool is_single = n_outputs(gan.discriminator) == 1;
      EXPECT_EQ(is_single, gan.n_condition_channels == 0) << model.name;
    }
  }
  EXPECT_THROW(make_model("mlp-2d", {.n_classes = 10}), ConfigError);
  EXPECT_THROW(make_model("mpl"), ConfigError);
}

void expect_follows(std::string_view name, const ModelSamples& samples) {
  const GanSpec gan = make_model(name, samples);
  EXPECT_EQ(gan.discriminator.inputs, samples.shape) << name << describe(samples);
  EXPECT_EQ(n_outputs(gan.generator), gan.sample()) << name << describe(samples);
  EXPECT_EQ(gan.n_condition_channels, samples.n_condition_channels);
  EXPECT_EQ(gan.n_classes(), samples.n_classes);
  const bool judges_patches = samples.n_condition_channels > 0;
  EXPECT_EQ(n_outputs(gan.discriminator) > 1, judges_patches);
}

TEST(Models, follow_the_shape_of_samples) {
  for (const Shape& shape : std::vector<Shape>{{1}, {2}, {37}, {28, 28, 1}, {5, 7, 3}}) {
    expect_follows("mlp", {.shape = shape});
    expect_follows("mlp", {.shape = shape, .n_classes = 4});
  }
  for (const Shape& shape :
       std::vector<Shape>{{16, 16, 1}, {28, 28, 3}, {48, 48, 1}, {80, 80, 3}, {48, 64, 3}}) {
    expect_follows("dcgan", {.shape = shape});
  }
  expect_follows("dcgan", {.shape = {40, 40, 3}, .n_classes = 1'000});
  for (const Shape& shape : std::vector<Shape>{{8, 8, 1}, {28, 28, 1}, {48, 48, 3}, {64, 64, 3}}) {
    expect_follows("r3-tiny", {.shape = shape});
    expect_follows("r3-tiny", {.shape = shape, .n_classes = 10});
  }
  expect_follows("pix2pix", {.shape = {64, 96, 6}, .n_condition_channels = 3});
  expect_follows("pix2pix", {.shape = {32, 32, 2}, .n_condition_channels = 1});
}

std::string complaint(std::string_view name, const ModelSamples& samples) {
  try {
    static_cast<void>(make_model(name, samples));
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Models, say_for_which_samples_they_are) {
  EXPECT_THAT(complaint("dcgan", {.shape = {30, 30, 3}}), HasSubstr("found 30x30x3"));
  EXPECT_THAT(complaint("dcgan", {.shape = {48, 64, 3}, .n_classes = 2}), HasSubstr("square"));
  EXPECT_THAT(complaint("dcgan", {.shape = {784}}), HasSubstr("found 784"));
  EXPECT_THAT(complaint("r3-tiny", {.shape = {48, 64, 3}}), HasSubstr("found 48x64x3"));
  EXPECT_THAT(complaint("dcgan28", {.shape = {32, 32, 1}}),
              HasSubstr("samples of 28x28x1; found 32x32x1"));
  EXPECT_THAT(complaint("pix2pix", {.shape = {40, 40, 2}, .n_condition_channels = 1}),
              HasSubstr("40x40x2, 1 of its channels given"));
  EXPECT_THAT(complaint("mlp", {.shape = {32, 32, 2}, .n_condition_channels = 1}),
              HasSubstr("nothing is given"));
}

TEST(Models, r3_tiny_has_about_as_many_parameters_at_every_size) {
  for (const std::uint32_t extent : {28U, 32U, 64U}) {
    const GanSpec gan = make_model("r3-tiny", {.shape = {extent, extent, 3}});
    for (const NetworkSpec& network : {gan.generator, gan.discriminator}) {
      EXPECT_NEAR(static_cast<double>(parameter_layout(network).n_parameters), 0.3e6, 0.06e6);
    }
  }
}

// Its residuals begin at zero, so that only what leads past the blocks is at work.
TEST(Models, r3_tiny_begins_without_its_blocks) {
  const GanSpec gan = make_model("r3-tiny", {.shape = {8, 8, 1}});
  const ParameterLayout layout = parameter_layout(gan.discriminator);
  std::vector<float> parameters(layout.n_padded);
  initialise(gan.discriminator, Random(1, Purpose::kTest), parameters);
  int n_zero = 0;
  for (const ParameterBlock& block : layout.blocks) {
    const std::span tensor = std::span(parameters).subspan(block.offset, n_elements(block.shape));
    if (block.role != Role::kWeight) continue;
    n_zero += std::ranges::all_of(tensor, [](float w) { return w == 0; }) ? 1 : 0;
  }
  EXPECT_EQ(n_zero, 3);  // two blocks at 4x4, one at 8x8
}

// One description serves the sizes that have a name.
TEST(Models, the_sizes_of_dcgan_that_have_a_name_are_as_it_follows) {
  for (const auto& [name, shape] : std::vector<std::pair<std::string, Shape>>{
           {"dcgan28", {28, 28, 1}}, {"dcgan64", {64, 64, 3}}}) {
    EXPECT_EQ(n_outputs(make_model(name).generator), n_elements(shape));
    EXPECT_EQ(parameter_layout(make_model(name).generator).n_parameters,
              parameter_layout(make_model("dcgan", {.shape = shape}).generator).n_parameters);
  }
}

}  // namespace
}  // namespace lipizz::nn::models_test
