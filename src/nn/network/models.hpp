#pragma once

#include <span>
#include <string_view>

#include "nn/network/network.hpp"

namespace lipizz::nn {

/// A generator and the discriminator that tells its samples from real ones.
///
/// The generator takes noise [N, latent] and gives samples [N, sample], images as [H, W, C]; the
/// discriminator takes samples and gives logits [N, 1], or several that are averaged. Its last
/// sigmoid belongs to the loss, which is the same function and stays finite where sigmoid
/// saturates.
///
/// A generator of paired samples takes conditions instead of noise: the first channels of a sample,
/// which it gives back unchanged in front of those that it makes.
struct GanSpec {
  NetworkSpec generator;
  NetworkSpec discriminator;
  std::uint32_t n_condition_channels = 0;

  [[nodiscard]] std::uint32_t latent() const { return generator.n_inputs(); }
  [[nodiscard]] std::uint32_t sample() const { return discriminator.n_inputs(); }
  /// Classes that samples are made of; 0: the pair knows of none.
  [[nodiscard]] std::uint32_t n_classes() const { return generator.n_classes; }
  /// The part of a sample's values that the generator makes.
  [[nodiscard]] double generated_share() const;
};

struct ModelEntry {
  std::string_view name;
  std::string_view summary;
  /// With `n_classes` a class-conditional pair, which those can be that say so.
  GanSpec (*make)(std::uint32_t n_classes);
  bool can_be_conditional = false;
};

extern const ModelEntry kMlp;
extern const ModelEntry kMlp2d;
extern const ModelEntry kDcgan28;
extern const ModelEntry kDcgan32;
extern const ModelEntry kDcgan64;
extern const ModelEntry kSngan32;
extern const ModelEntry kBiggan32;
extern const ModelEntry kBiggan32Attention;
extern const ModelEntry kPix2pix;
extern const ModelEntry kPix2pix32;

/// Every model pair there is.
std::span<const ModelEntry> models();

/// The pair called `name`, class-conditional where there are classes. ConfigError naming the
/// nearest when there is none of that name, or when it cannot be conditional.
GanSpec make_model(std::string_view name, std::uint32_t n_classes = 0);

}  // namespace lipizz::nn
