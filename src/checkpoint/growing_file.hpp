#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lipizz::checkpoint {

/// A file that grows at its end. It is held open, so that its content outlives its name. Errors are
/// CheckpointErrors with the path and the reason.
class GrowingFile {
 public:
  /// Goes on behind what is there, or begins the file.
  explicit GrowingFile(std::filesystem::path path);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&& other) noexcept;
  ~GrowingFile();

  void append(std::string_view text) const;
  /// Puts what is written on the disk.
  void sync() const;

  /// All of it, be it removed meanwhile.
  [[nodiscard]] std::string content() const;

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace lipizz::checkpoint
