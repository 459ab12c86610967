#include "tensorboard/crc32c.hpp"

#include <array>
#include <bit>

namespace lipizz::tensorboard {
namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> table_of_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? (crc >> 1) ^ kReflectedPolynomial : crc >> 1;
    }
    table[byte] = crc;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = table_of_bytes();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : bytes) {
    crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  }
  return ~crc;
}

std::uint32_t masked(std::uint32_t crc) {
  return std::rotr(crc, 15) + 0xA282EAD8;
}

}  // namespace lipizz::tensorboard
