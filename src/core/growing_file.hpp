#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lipizz {

/// A file that grows at its end. It is held open, so that its content outlives its name. Text for
/// which the disk has no room waits in memory, 64 MB of a file at most, since room may come again:
/// a file that somebody else cannot write whole is removed. Errors are CheckpointErrors with the
/// path and the reason.
class GrowingFile {
 public:
  /// Goes on behind what is there, or begins the file.
  explicit GrowingFile(std::filesystem::path path);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&& other) noexcept;
  /// Writes what waits, if there is room now.
  ~GrowingFile();

  /// Writes what waits, and the text behind it.
  void append(std::string_view text);
  /// Puts all of it on the disk. An error where some still waits.
  void sync();
  /// Says that text waits, and why; empty where none does.
  [[nodiscard]] std::string shortage() const;

  /// All of it, be it removed meanwhile, and be there no room yet for its end.
  [[nodiscard]] std::string content() const;

 private:
  void write_waiting();
  [[nodiscard]] std::string described(const char* action, int error) const;
  [[noreturn]] void fail(const char* action, int error) const;

  std::filesystem::path path_;
  int descriptor_;
  std::string waiting_;
  int obstacle_ = 0;  // the error because of which it waits
};

}  // namespace lipizz
