#pragma once

#include <filesystem>
#include <string_view>

namespace lipizz::app {

/// ConfigError beginning with the command's name where there is something already.
void expect_nothing_at(std::string_view command, const std::filesystem::path& path);

/// A folder that a command fills beside its place, so that it appears whole or not at all.
class NewFolder {
 public:
  /// ConfigError as above, CheckpointError when it cannot be made.
  NewFolder(std::string_view command, std::filesystem::path place);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  /// Removes it with all that is in it, unless it is in its place.
  ~NewFolder();

  /// The place to write to.
  [[nodiscard]] const std::filesystem::path& path() const { return made_; }
  /// CheckpointError.
  void put_in_place();

 private:
  std::filesystem::path place_;
  std::filesystem::path made_;
};

}  // namespace lipizz::app
