#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::setup {

/// A file of lines in which the kernel tells figures, `MemAvailable:   24106028 kB` for one. A file
/// that cannot be read has no lines.
class SystemFile {
 public:
  explicit SystemFile(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  /// The number that follows `key` at the beginning of the first line that begins so; nothing where
  /// there is none, or no number (`max`, `unlimited`).
  [[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view key) const;
  /// The same where it counts 1024 bytes, in bytes.
  [[nodiscard]] std::optional<std::uint64_t> kilobytes_of(std::string_view key) const;

 private:
  std::vector<std::string> lines_;
};

/// a - b, or 0 where b is more.
constexpr std::uint64_t less(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

}  // namespace lipizz::setup
