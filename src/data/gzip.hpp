#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct z_stream_s;

namespace lipizz::data {

/// The content of a .gz file, read front to back in pieces; never holds more than the caller asked
/// for and a small buffer. Every failure is a DataError naming the path and what to do.
class GzipFile {
 public:
  explicit GzipFile(const std::filesystem::path& path);
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;
  ~GzipFile();

  /// Fills `out`. DataError when the content is damaged, or ends first.
  void read(std::span<std::uint8_t> out);

  /// DataError unless everything has been read, the checksum is right and the file ends there.
  void expect_end();

  [[nodiscard]] std::uint64_t n_bytes_read() const { return n_bytes_read_; }

  /// DataError about this file: `PATH: what; how to get a good one`.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// Inflates into `out`; less than its size only at the end of the content.
  std::size_t inflate_some(std::span<std::uint8_t> out);
  /// Loads the next compressed bytes; fails at the end of the file.
  void refill();

  std::filesystem::path path_;
  std::ifstream file_;
  std::vector<std::uint8_t> compressed_;
  std::unique_ptr<z_stream_s> stream_;
  bool ended_ = false;
  std::uint64_t n_bytes_read_ = 0;
};

}  // namespace lipizz::data
