// Pictures: as they are, and with the checksums of their chunks put right, so that what lies behind
// them is reached too.
#include <zlib.h>

#include <vector>

#include "data/picture_file.hpp"
#include "data/png.hpp"
#include "fuzz.hpp"

namespace {

constexpr std::uint32_t kMostPixels = 1U << 16;

std::uint32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | bytes[place + i];
  return word;
}

void repair(std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kAroundContent = 12;  // length, name, checksum
  for (std::size_t place = kSignature; place + kAroundContent <= bytes.size();) {
    const std::size_t n_content = word_at(bytes, place);
    if (n_content > bytes.size() - place - kAroundContent) return;
    const auto sum = crc32(0, &bytes[place + 4], static_cast<uInt>(n_content + 4));
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[place + 8 + n_content + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    }
    place += kAroundContent + n_content;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  const lipizz::fuzz::MemoryFile file(lipizz::fuzz::bytes(data, n_bytes));
  lipizz::fuzz::accepts([&] { lipizz::data::read_png(file.path(), kMostPixels); });
  std::vector<std::uint8_t> bytes(data, data + n_bytes);
  repair(bytes);
  lipizz::fuzz::accepts([&] { lipizz::data::decode_picture(bytes, "a.png", kMostPixels); });
  return 0;
}
