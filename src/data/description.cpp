#include "data/description.hpp"

namespace lipizz::data {

std::string shape_text(const SampleForm& form) {
  const SampleShape& shape = form.shape;
  const std::string channels = std::to_string(shape.channels);
  if (form.kind == SampleKind::kPoint) return channels;
  return std::to_string(shape.height) + "x" + std::to_string(shape.width) + "x" + channels;
}

}  // namespace lipizz::data
