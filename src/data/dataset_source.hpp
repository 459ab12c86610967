#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "data/description.hpp"

namespace lipizz::data {

/// The memory that a loader fills: training samples first, then test samples. Images use `pixels`
/// and points `values`; the other one is empty.
struct Content {
  std::span<std::uint8_t> pixels;  // [n_samples, shape.size()]
  std::span<float> values;         // [n_samples, shape.size()]
  std::span<std::uint8_t> labels;  // [n_samples]
};

/// Where samples come from: what they will be, as the headers of files say, and who brings them.
struct DatasetSource {
  Description about;
  std::function<void(const Content&)> load;  // to be called once; DataError
};

}  // namespace lipizz::data
