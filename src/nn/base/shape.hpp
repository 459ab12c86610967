#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lipizz::nn {

/// The dimensions of a value for one model, outermost first. Rows of a batch come first: [N,
/// features].
using Shape = std::vector<std::uint32_t>;

inline std::size_t n_elements(const Shape& shape) {
  std::size_t n = 1;
  for (const std::uint32_t dimension : shape) n *= dimension;
  return n;
}

/// `[100, 784]`
std::string to_string(const Shape& shape);

}  // namespace lipizz::nn
