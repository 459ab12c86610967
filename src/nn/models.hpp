#pragma once

#include <span>
#include <string_view>

#include "nn/network.hpp"

namespace lipizz::nn {

/// A generator and the discriminator that judges it.
///
/// The generator takes noise [N, latent] and gives samples [N, sample]; the discriminator takes
/// samples and gives logits [N, 1]. Its last sigmoid belongs to the loss, which is the same
/// function and stays finite where sigmoid saturates.
struct GanSpec {
  NetworkSpec generator;
  NetworkSpec discriminator;
  [[nodiscard]] std::uint32_t latent() const { return generator.inputs; }
  [[nodiscard]] std::uint32_t sample() const { return generator.outputs(); }
};

struct ModelEntry {
  std::string_view name;
  std::string_view summary;
  GanSpec (*make)();
};

/// Every model pair there is.
std::span<const ModelEntry> models();

/// The pair called `name`; ConfigError naming the nearest when there is none.
GanSpec make_model(std::string_view name);

}  // namespace lipizz::nn
