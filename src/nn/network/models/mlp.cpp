#include "nn/network/models.hpp"

#include <vector>

#include "core/error.hpp"
#include "nn/network/models/classes.hpp"

namespace lipizz::nn {
namespace {

// Images have pixels in [-1, 1], points any values. For 28x28x1 283,920 and 267,009 parameters.
GanSpec mlp(const ModelSamples& samples) {
  constexpr auto kLeaky = Activation::kLeakyRelu;
  if (samples.n_condition_channels > 0) {
    throw ConfigError("model mlp is made for samples of which nothing is given; found " +
                      describe(samples));
  }
  const auto n_values = static_cast<std::uint32_t>(n_elements(samples.shape));
  const bool is_image = samples.shape.size() == 3;
  GanSpec gan{{{64}, {}, &kUniform, samples.n_classes},
              {samples.shape, {{256, kLeaky}, {256, kLeaky}, {1}}, &kUniform, samples.n_classes}};
  append_class_to_noise(gan.generator);
  for (const Layer& layer :
       std::vector<Layer>{{256, kLeaky},
                          {256, kLeaky},
                          {n_values, is_image ? Activation::kTanh : Activation::kNone}}) {
    gan.generator.layers.push_back(layer);
  }
  add_projection(gan.discriminator, 2, 256);
  return gan;
}

// 49,666 and 17,025 parameters.
GanSpec mlp_2d(const ModelSamples&) {
  constexpr auto kTanh = Activation::kTanh;
  return {{{256}, {{128, kTanh}, {128, kTanh}, {2}}}, {{2}, {{128, kTanh}, {128, kTanh}, {1}}}};
}

ModelSamples digits() {
  return {.shape = {28, 28, 1}};
}

ModelSamples points_of_the_plane() {
  return {.shape = {2}};
}

}  // namespace

const ModelEntry kMlp{
    "mlp",
    "images and points of any size: G 64-256-256-size, LeakyReLU 0.2, images tanh; "
    "D size-256-256-1 (Lipizzaner's four_layer_perceptron)",
    mlp,
    digits,
    true,
    true};
const ModelEntry kMlp2d{"mlp-2d",
                        "points in the plane: G 256-128-128-2, tanh, linear; D 2-128-128-1 "
                        "(Lipizzaner's circular_problem_perceptron)",
                        mlp_2d, points_of_the_plane};

}  // namespace lipizz::nn
