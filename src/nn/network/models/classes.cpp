#include "nn/network/models/classes.hpp"

#include <utility>

#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/joining.hpp"

namespace lipizz::nn {

void append_class_to_noise(NetworkSpec& generator) {
  constexpr std::uint32_t kOutputs = 50;
  if (generator.n_classes == 0) return;
  append(generator, {.outputs = kOutputs, .kind = &kEmbeddingLayer});
  Shape like_noise = generator.inputs;
  like_noise.back() = kOutputs;
  const std::uint32_t embedding =
      append(generator, {.kind = &kReshapeLayer, .shape = std::move(like_noise)});
  append(generator, {.kind = &kConcatenateLayer, .from = {0, embedding}});
}

void add_projection(NetworkSpec& discriminator, std::uint32_t features, std::uint32_t n_features,
                    bool has_spectral_norm) {
  if (discriminator.n_classes == 0) return;
  const std::uint32_t logit = append(discriminator, {.kind = &kReshapeLayer, .shape = {1}});
  const std::uint32_t embedding = append(
      discriminator,
      {.outputs = n_features, .kind = &kEmbeddingLayer, .has_spectral_norm = has_spectral_norm});
  const std::uint32_t product =
      append(discriminator, {.kind = &kDotLayer, .from = {features, embedding}});
  append(discriminator, {.kind = &kAddLayer, .from = {logit, product}});
}

}  // namespace lipizz::nn
