#pragma once

#include <span>
#include <string>
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

/// The samples that a pair of networks is made for.
struct ModelSamples {
  Shape shape = {};  // {features} or {height, width, channels}; empty: the model's own
  std::uint32_t n_condition_channels = 0;
  std::uint32_t n_classes = 0;  // of a class-conditional pair; 0: it is none

  bool operator==(const ModelSamples&) const = default;
};

/// `28x28x1`, `2`, `32x32x2, 1 of its channels given`
std::string describe(const ModelSamples& samples);

struct ModelEntry {
  std::string_view name;
  std::string_view summary;
  /// `samples` has a shape. ConfigError when none can be made for such.
  GanSpec (*make)(const ModelSamples& samples);
  /// Its own samples, without classes: those that it is made for where none are named.
  ModelSamples (*own)();
  bool can_be_conditional = false;
  bool follows_samples = false;  // it can be made for others than its own
};

extern const ModelEntry kMlp;
extern const ModelEntry kMlp2d;
extern const ModelEntry kDcgan;
extern const ModelEntry kDcganHalf;
extern const ModelEntry kDcgan28;
extern const ModelEntry kDcgan32;
extern const ModelEntry kDcgan64;
extern const ModelEntry kDcgan128;
extern const ModelEntry kSngan32;
extern const ModelEntry kBiggan32;
extern const ModelEntry kBiggan32Attention;
extern const ModelEntry kBiggan128;
extern const ModelEntry kR3Tiny;
extern const ModelEntry kPix2pix;
extern const ModelEntry kPix2pix32;

/// Every model pair there is.
std::span<const ModelEntry> models();

/// True where the model of that name can be made for other samples than its own.
bool follows_samples(std::string_view name);

/// The pair called `name` for such samples, class-conditional where they have classes. ConfigError
/// naming the nearest when there is none of that name, or saying for which samples it can be made.
GanSpec make_model(std::string_view name, const ModelSamples& samples = {});

}  // namespace lipizz::nn
