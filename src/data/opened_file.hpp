#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lipizz::data {

/// A file of the user's own, open for reading at any place. Every failure is a DataError that
/// begins with the path. Any number of threads may read at once.
///
/// A file that is written to while it is read would give samples that no file ever held. So each
/// read ends by asking whether size and time of change are those of the opening; what is put in the
/// file's place by a rename does not matter, since the opened one stays as it is.
class OpenedFile {
 public:
  explicit OpenedFile(const std::filesystem::path& path);
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t n_bytes() const {
    return static_cast<std::uint64_t>(status_.st_size);
  }

  /// Fills `out` from `offset` on. DataError when the file ends first, or has changed.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

  /// The whole content; DataError when that is more than `n_most` bytes.
  [[nodiscard]] std::vector<std::uint8_t> content(std::uint64_t n_most) const;

  /// DataError when somebody has written to the file since it was opened.
  void expect_unchanged() const;

  /// DataError `PATH: what`.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::filesystem::path path_;
  int descriptor_;
  struct stat status_ {};  // of the opening
};

}  // namespace lipizz::data
