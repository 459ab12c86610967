#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace lipizz::report {

/// Reads a file of lines, also while it grows. Used by one thread.
class GrowingLines {
 public:
  /// The file need not be there yet.
  explicit GrowingLines(std::filesystem::path file);

  /// Takes a line without its line break, and says whether it is of use.
  using Take = std::function<bool(std::string_view)>;
  /// Hands over the lines that are whole and were not handed over before; from the first one again
  /// when the file has become shorter, which is what a resume does to it. CheckpointError when it
  /// cannot be read.
  void read(const Take& take);

  /// True when the last read() began again.
  [[nodiscard]] bool has_begun_again() const { return has_begun_again_; }
  /// Lines that were of no use, or are longer than any of ours.
  [[nodiscard]] std::uint64_t n_damaged() const { return n_damaged_; }

 private:
  std::filesystem::path file_;
  std::uint64_t offset_ = 0;  // of the first line that was not whole yet
  std::uint64_t n_damaged_ = 0;
  bool has_begun_again_ = false;
};

}  // namespace lipizz::report
