#include "nn/network/models/halved_sizes.hpp"

namespace lipizz::nn {

std::vector<Shape> halved_sizes(const ModelSamples& samples) {
  const bool is_image = samples.shape.size() == 3 && samples.n_condition_channels == 0;
  if (!is_image) return {};
  const auto halves = [](std::uint32_t extent) { return extent % 2 == 0 && extent >= 8; };
  std::vector<Shape> sizes{{samples.shape[0], samples.shape[1]}};
  while (halves(sizes.back()[0]) && halves(sizes.back()[1])) {
    sizes.push_back({sizes.back()[0] / 2, sizes.back()[1] / 2});
  }
  return sizes;
}

}  // namespace lipizz::nn
