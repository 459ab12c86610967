#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/bytes.hpp"

namespace lipizz::checkpoint {

/// A file that is read from its beginning. Errors are CheckpointErrors with its path, the reason of
/// the system, and what to look at.
class SourceFile {
 public:
  /// CheckpointError when there is no such file, or it may not be read.
  explicit SourceFile(const std::filesystem::path& path);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  ~SourceFile();

  /// Its path, as it stands at the beginning of messages.
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] std::uint64_t size() const { return n_bytes_; }

  /// Its first bytes: so many, or all where it has fewer. CheckpointError when they cannot be read,
  /// and when the memory of this machine has no room for them.
  [[nodiscard]] Bytes first(std::uint64_t n_bytes) const;

 private:
  [[noreturn]] void fail(int error) const;

  std::string place_;
  int descriptor_;
  std::uint64_t n_bytes_ = 0;
};

}  // namespace lipizz::checkpoint
