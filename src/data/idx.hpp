#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "data/gzip.hpp"

namespace lipizz::data {

/// A gzip-compressed IDX file of unsigned bytes: two zero bytes, the type 8, the number of
/// dimensions, one big-endian 32-bit dimension for each, then the values, the last index fastest.
/// The header is checked before its dimensions are believed. Every failure is a DataError naming
/// the path, what was expected, what was found and what to do.
class IdxFile {
 public:
  /// The values that a dimension may have, both ends included.
  struct Range {
    std::uint32_t least;
    std::uint32_t most;
  };

  /// Opens the file and reads its header; `allowed` has one range for each dimension.
  IdxFile(const std::filesystem::path& path, std::span<const Range> allowed);

  [[nodiscard]] const std::vector<std::uint32_t>& dimensions() const { return dimensions_; }

  /// Reads all values, as many as the dimensions say, and checks that the file ends there.
  void read(std::span<std::uint8_t> out);

  /// DataError about this file.
  [[noreturn]] void fail(const std::string& what) const { file_.fail(what); }

 private:
  void check_magic(std::size_t n_dimensions);
  std::uint32_t read_word();

  GzipFile file_;
  std::vector<std::uint32_t> dimensions_;
};

}  // namespace lipizz::data
