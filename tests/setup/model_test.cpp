#include "setup/model.hpp"

#include <gtest/gtest.h>

#include "config/model.hpp"
#include "core/error.hpp"

namespace lipizz::setup::model_test {
namespace {

config::Model written(const std::string& generator, const std::string& discriminator) {
  return config::parse_model(
      R"({"generator": )" + generator + R"(, "discriminator": )" + discriminator + "}", "model");
}

constexpr const char* kJudge = R"({"inputs": [2], "layers": [{"kind": "linear", "outputs": 1}]})";

std::string refusal(const std::string& layers, const std::string& judge = kJudge) {
  try {
    model_of(written(R"({"inputs": [4], "layers": [)" + layers + "]}", judge));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Model, is_found_by_its_name) {
  EXPECT_EQ(model_of(config::Model{.name = "mlp"}).sample(), 784U);
  EXPECT_THROW(model_of(config::Model{.name = "mpl"}), ConfigError);
}

TEST(Model, is_made_as_it_is_written) {
  const nn::GanSpec gan =
      model_of(written(R"({"inputs": [4], "initialiser": "he-normal", "layers": [
                  {"kind": "linear", "outputs": 5, "activation": "tanh"},
                  {"kind": "linear", "outputs": 2, "bias": false}]})",
                       kJudge));
  EXPECT_EQ(gan.latent(), 4U);
  EXPECT_EQ(gan.sample(), 2U);
  EXPECT_EQ(gan.generator.initialiser, &nn::kHeNormal);
  EXPECT_EQ(gan.generator.layers[0].activation, nn::Activation::kTanh);
  EXPECT_FALSE(gan.generator.layers[1].has_bias);
  EXPECT_EQ(nn::parameter_layout(gan.generator).n_parameters, 4U * 5 + 5 + 5 * 2);
}

TEST(Model, what_makes_no_sense_is_refused_with_its_place) {
  EXPECT_EQ(refusal(R"({"outputs": 2})"), "model.generator.layers[0]: expected a kind, found none");
  EXPECT_EQ(refusal(R"({"kind": "linear"})"),
            "model.generator.layers[0]: expected outputs, found none");
  EXPECT_EQ(refusal(R"({"kind": "linear", "outputs": 2, "kernel": 3})"),
            "model.generator.layers[0].kernel: linear does not read it; it reads outputs, "
            "activation, bias, spectral_norm, gain");
  EXPECT_EQ(refusal(R"({"kind": "linear", "outputs": 2, "from": [0, 0]})"),
            "model.generator.layers[0].from: linear takes one input, found 2");
  EXPECT_EQ(refusal(R"({"kind": "convolution", "outputs": 2})"),
            "model.generator.layers[0]: convolution takes images [N, H, W, C], not [1, 4]");
}

TEST(Model, stages_have_a_layer_of_each_network_that_is_cut_into_all_of_them) {
  const nn::NetworkSpec two{{4}, {{3}, {2}}};
  const nn::NetworkSpec three{{2}, {{3}, {2}, {1}}};
  const auto most = [&](std::uint32_t g, std::uint32_t d) {
    config::Experiment experiment;
    experiment.generator.stages = g;
    experiment.discriminator.stages = d;
    return most_stages(experiment, {two, three});
  };
  EXPECT_EQ(most(0, 0), 2U);
  EXPECT_EQ(most(1, 0), 3U);
  EXPECT_EQ(most(3, 0), 2U) << "at most three are two in a pipeline of two";
  EXPECT_EQ(most(0, 1), 2U);
  EXPECT_GT(most(2, 3), 100U);
}

TEST(Model, generator_and_discriminator_fit_together) {
  EXPECT_EQ(refusal(R"({"kind": "linear", "outputs": 3})"),
            "model.discriminator.inputs: values of a generated sample: expected 3 in all, found 2");
  EXPECT_EQ(refusal(R"({"kind": "linear", "outputs": 2})",
                    R"({"inputs": [2], "layers": [{"kind": "linear", "outputs": 7}]})"),
            "model.discriminator: values that the last layer gives: expected 1 in all, found 7");
  EXPECT_EQ(refusal(R"({"kind": "linear", "outputs": 2})",
                    R"({"inputs": [2], "initialiser": "he-norm", "layers": [{"kind": "linear"}]})"),
            "model.discriminator.initialiser: there is no initialiser \"he-norm\"; did you mean "
            "\"he-normal\"?");
}

}  // namespace
}  // namespace lipizz::setup::model_test
