#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace lipizz::data {

/// Points: values of shape [n_rows, n_columns].
struct PointTable {
  [[nodiscard]] std::uint64_t n_rows() const { return values.size() / n_columns; }

  std::uint32_t n_columns = 1;
  std::vector<float> values;
};

/// Reads lines of 1 to 4096 finite numbers, all of one width, separated by semicolons, by commas or
/// by blanks (spaces and tabs), whichever the first of them has. The very first line may be a
/// header, which has no number; empty lines and those that begin with `#` are skipped, lines may
/// end with CR LF, and a byte order mark of UTF-8 may precede all. Numbers are as in C's "C" locale
/// whatever the environment says: a decimal point, no thousands.
///
/// DataError `PATH:LINE: expected ..., found "word"`. `path` is for messages alone.
PointTable parse_csv(std::span<const std::uint8_t> bytes, const std::filesystem::path& path);

/// The same for a file of at most `n_most_bytes`, which bounds the memory to some three times that.
PointTable read_csv(const std::filesystem::path& path, std::uint64_t n_most_bytes);

}  // namespace lipizz::data
