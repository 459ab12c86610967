#include "nn/models.hpp"

#include <array>

#include "core/table.hpp"

namespace lipizz::nn {

std::span<const ModelEntry> models() {
  static const std::array kModels{kMlp, kMlp2d, kDcgan28, kDcgan32, kDcgan64, kSngan32};
  return kModels;
}

GanSpec make_model(std::string_view name) {
  return find_row(models(), &ModelEntry::name, name, "model").make();
}

}  // namespace lipizz::nn
