#pragma once

#include <span>
#include <string_view>

#include "nn/network.hpp"

namespace lipizz::nn {

/// A generator and the discriminator that judges it.
///
/// The generator takes noise [N, latent] and gives samples [N, sample], images as [H, W, C]; the
/// discriminator takes samples and gives logits [N, 1]. Its last sigmoid belongs to the loss, which
/// is the same function and stays finite where sigmoid saturates.
struct GanSpec {
  NetworkSpec generator;
  NetworkSpec discriminator;
  [[nodiscard]] std::uint32_t latent() const { return generator.n_inputs(); }
  [[nodiscard]] std::uint32_t sample() const { return discriminator.n_inputs(); }
};

struct ModelEntry {
  std::string_view name;
  std::string_view summary;
  GanSpec (*make)();
};

extern const ModelEntry kMlp;
extern const ModelEntry kMlp2d;
extern const ModelEntry kDcgan28;
extern const ModelEntry kDcgan32;
extern const ModelEntry kDcgan64;
extern const ModelEntry kSngan32;

/// Every model pair there is.
std::span<const ModelEntry> models();

/// The pair called `name`; ConfigError naming the nearest when there is none.
GanSpec make_model(std::string_view name);

}  // namespace lipizz::nn
