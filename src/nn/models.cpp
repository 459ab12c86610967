#include "nn/models.hpp"

#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::nn {

std::span<const ModelEntry> models() {
  static const std::array kModels{kMlp, kMlp2d, kDcgan28, kDcgan32, kDcgan64, kSngan32};
  return kModels;
}

GanSpec make_model(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelEntry& model : models()) {
    if (model.name == name) return model.make();
    names.emplace_back(model.name);
  }
  throw ConfigError("there is no model \"" + std::string(name) + "\"" + suggestion(name, names));
}

}  // namespace lipizz::nn
