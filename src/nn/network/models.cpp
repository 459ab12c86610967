#include "nn/network/models.hpp"

#include <array>
#include <string>

#include "core/error.hpp"
#include "core/table.hpp"

namespace lipizz::nn {

std::span<const ModelEntry> models() {
  static const std::array kModels{kMlp,     kMlp2d,    kDcgan28,           kDcgan32, kDcgan64,
                                  kSngan32, kBiggan32, kBiggan32Attention, kPix2pix, kPix2pix32};
  return kModels;
}

double GanSpec::generated_share() const {
  const double n = discriminator.inputs.back();
  return (n - n_condition_channels) / n;
}

GanSpec make_model(std::string_view name, std::uint32_t n_classes) {
  const ModelEntry& model = find_row(models(), &ModelEntry::name, name, "model");
  if (n_classes > 0 && !model.can_be_conditional) {
    throw ConfigError("model " + std::string(name) + " cannot be class-conditional");
  }
  return model.make(n_classes);
}

}  // namespace lipizz::nn
