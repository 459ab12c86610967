#pragma once

#include <filesystem>

namespace lipizz::app {

/// A temporary folder for whatever mpirun keeps on this host while a job runs, removed with the
/// job's shared memory.
class SessionFolder {
 public:
  /// ConfigError when it cannot be made.
  SessionFolder();
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;
  ~SessionFolder();

  /// Where mpirun is to write its address.
  [[nodiscard]] std::filesystem::path uri_file() const { return path_ / "uri"; }
  /// Where rank 0 is to write its exit code.
  [[nodiscard]] std::filesystem::path exit_code_file() const { return path_ / "exit_code"; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void remove_shared_memory() const;

  std::filesystem::path path_;
};

}  // namespace lipizz::app
