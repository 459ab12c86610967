#include "data/idx.hpp"

#include <array>
#include <string>

#include "core/check.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kUnsignedByte = 8;

std::string to_string(const IdxFile::Range& range) {
  const std::string least = std::to_string(range.least);
  return range.least == range.most ? least : least + " to " + std::to_string(range.most);
}

}  // namespace

IdxFile::IdxFile(const std::filesystem::path& path, std::span<const Range> allowed) : file_(path) {
  check_magic(allowed.size());
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const std::uint32_t dimension = read_word();
    if (dimension < allowed[i].least || dimension > allowed[i].most) {
      fail("expected a size of " + to_string(allowed[i]) + " in dimension " + std::to_string(i) +
           " of the IDX header, found " + std::to_string(dimension));
    }
    dimensions_.push_back(dimension);
  }
}

void IdxFile::read(std::span<std::uint8_t> out) {
  std::size_t n_values = 1;
  for (const std::uint32_t dimension : dimensions_) n_values *= dimension;
  LIPIZZ_ASSERT(out.size() == n_values);
  file_.read(out);
  file_.expect_end();
}

void IdxFile::check_magic(std::size_t n_dimensions) {
  const std::uint32_t expected = kUnsignedByte << 8 | static_cast<std::uint32_t>(n_dimensions);
  const std::uint32_t found = read_word();
  if (found == expected) return;
  fail("expected an IDX file of unsigned bytes in " + std::to_string(n_dimensions) +
       " dimensions (first word " + std::to_string(expected) + "), found first word " +
       std::to_string(found));
}

std::uint32_t IdxFile::read_word() {
  std::array<std::uint8_t, 4> bytes{};
  file_.read(bytes);
  std::uint32_t word = 0;
  for (const std::uint8_t byte : bytes) word = word << 8 | byte;
  return word;
}

}  // namespace lipizz::data
