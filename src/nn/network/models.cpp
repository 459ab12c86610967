#include "nn/network/models.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"
#include "core/table.hpp"

namespace lipizz::nn {

std::span<const ModelEntry> models() {
  static const std::array kModels{
      kMlp,     kMlp2d,    kDcgan,     kDcganHalf, kDcgan28,           kDcgan32,
      kDcgan64, kDcgan128, kSngan32,   kBiggan32,  kBiggan32Attention, kBiggan128,
      kR3Tiny,  kPix2pix,  kPix2pix32,
  };
  return kModels;
}

double GanSpec::generated_share() const {
  const double n = discriminator.inputs.back();
  return (n - n_condition_channels) / n;
}

std::string describe(const ModelSamples& samples) {
  std::string text;
  for (const std::uint32_t extent : samples.shape) {
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  }
  if (samples.n_condition_channels == 0) return text;
  return text + ", " + std::to_string(samples.n_condition_channels) + " of its channels given";
}

bool follows_samples(std::string_view name) {
  const auto found = std::ranges::find(models(), name, &ModelEntry::name);
  return found != models().end() && found->follows_samples;
}

GanSpec make_model(std::string_view name, const ModelSamples& samples) {
  const ModelEntry& model = find_row(models(), &ModelEntry::name, name, "model");
  if (samples.n_classes > 0 && !model.can_be_conditional) {
    throw ConfigError("model " + std::string(name) + " cannot be class-conditional");
  }
  ModelSamples own = model.own();
  own.n_classes = samples.n_classes;
  const ModelSamples asked = samples.shape.empty() ? own : samples;
  if (!model.follows_samples && asked != own) {
    throw ConfigError("model " + std::string(name) + " is made for samples of " + describe(own) +
                      "; found " + describe(asked));
  }
  return model.make(asked);
}

}  // namespace lipizz::nn
