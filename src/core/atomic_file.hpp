#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace lipizz {

/// A file that appears whole or not at all: written beside its place, put on the disk, renamed, and
/// its new name put on the disk too. The temporary name cannot be guessed, is never that of a file
/// that is there, and is not reached through a link. Every failure is a CheckpointError naming the
/// path and the reason, and leaves what was there before; a file that is not committed leaves
/// nothing.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> data);
  /// Replaces `path`. Nothing may be written afterwards.
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_;
};

/// The same for a file whose content is at hand.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> content);
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace lipizz
