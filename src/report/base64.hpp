#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lipizz::report {

/// RFC 4648's Base64, with its padding.
std::string base64(std::span<const std::byte> data);

/// The length of that text.
constexpr std::size_t base64_size(std::size_t n_bytes) {
  return (n_bytes + 2) / 3 * 4;
}

}  // namespace lipizz::report
