#include "report/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace lipizz::report {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::span<const std::byte> data) {
  std::string text;
  text.reserve(base64_size(data.size()));
  for (; !data.empty(); data = data.subspan(std::min<std::size_t>(data.size(), 3))) {
    const std::size_t n_bytes = std::min<std::size_t>(data.size(), 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < n_bytes ? std::to_integer<std::uint32_t>(data[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= n_bytes ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace lipizz::report
