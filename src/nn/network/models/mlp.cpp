#include "nn/network/models.hpp"

#include <vector>

#include "nn/network/models/classes.hpp"

namespace lipizz::nn {
namespace {

// 283,920 and 267,009 parameters.
GanSpec mlp(std::uint32_t n_classes) {
  constexpr auto kLeaky = Activation::kLeakyRelu;
  GanSpec gan{{{64}, {}, &kUniform, n_classes},
              {{28, 28, 1}, {{256, kLeaky}, {256, kLeaky}, {1}}, &kUniform, n_classes}};
  append_class_to_noise(gan.generator);
  for (const Layer& layer :
       std::vector<Layer>{{256, kLeaky}, {256, kLeaky}, {784, Activation::kTanh}}) {
    gan.generator.layers.push_back(layer);
  }
  add_projection(gan.discriminator, 2, 256);
  return gan;
}

// 49,666 and 17,025 parameters.
GanSpec mlp_2d(std::uint32_t) {
  constexpr auto kTanh = Activation::kTanh;
  return {{{256}, {{128, kTanh}, {128, kTanh}, {2}}}, {{2}, {{128, kTanh}, {128, kTanh}, {1}}}};
}

}  // namespace

const ModelEntry kMlp{"mlp",
                      "28x28 grey images: G 64-256-256-784, LeakyReLU 0.2, tanh; D 784-256-256-1 "
                      "(Lipizzaner's four_layer_perceptron)",
                      mlp, true};
const ModelEntry kMlp2d{"mlp-2d",
                        "points in the plane: G 256-128-128-2, tanh, linear; D 2-128-128-1 "
                        "(Lipizzaner's circular_problem_perceptron)",
                        mlp_2d};

}  // namespace lipizz::nn
