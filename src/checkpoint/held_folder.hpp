#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace lipizz::checkpoint {

/// A folder that is held open while it is written to, so that it is found again when somebody
/// renames it, and missed when somebody removes it; a path alone would lead to a new folder, or to
/// somebody else's, in its place. Any thread may ask; a question costs the look at one path.
class HeldFolder {
 public:
  /// Makes the folder where it is not there, as on a node with disks of its own. CheckpointError
  /// when it cannot be made or opened.
  explicit HeldFolder(std::filesystem::path path);
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;
  ~HeldFolder();

  /// Its path when it was opened.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Its loss in a few words: `was renamed to /runs/b`, `was removed`; empty while
  /// its path still leads to it.
  [[nodiscard]] std::string loss() const;

  /// Where to write now: in the folder, wherever it is; once it is removed, in a folder beside its
  /// old place, `/runs/a-rescued-1234` by the number that the file system knew it by, so that all
  /// ranks name the same. Whoever asks first makes that one: CheckpointError when it cannot be.
  [[nodiscard]] std::filesystem::path present() const;

 private:
  [[nodiscard]] bool is_at(const std::filesystem::path& path) const;
  [[nodiscard]] bool is_removed() const;
  [[nodiscard]] std::filesystem::path path_of_handle() const;

  std::filesystem::path path_;
  int descriptor_;
  struct stat identity_ {};
};

}  // namespace lipizz::checkpoint
