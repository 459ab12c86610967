#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace lipizz::master {

/// `runs/<name>-20260131T120000Z`, with -2, -3 ... behind when that is there already.
std::filesystem::path default_output_dir(const std::string& name,
                                         std::chrono::system_clock::time_point now);

/// Its absolute path. ConfigError when it exists already, whatever it is.
std::filesystem::path check_run_folder(const std::filesystem::path& folder);

/// Makes the folder of a run with the folders above it, and returns its absolute path. ConfigError
/// when it exists already (whatever it is) or cannot be made.
std::filesystem::path make_run_folder(const std::filesystem::path& folder);

/// Removes what a master leaves that is lost before it has written the configuration: its lock, an
/// empty log of metrics, the log, and the folder when nothing else is in it. Files of others
/// stay, and so does all while a master holds the folder.
void remove_unbegun_run(const std::filesystem::path& folder);

/// Held by the master of a run, so that a second one does not go on with it at the same time. Ends
/// with the process, whatever ends that.
class RunFolderLock {
 public:
  /// ConfigError when another process holds it. Where the file system knows no locks it does
  /// nothing.
  explicit RunFolderLock(const std::filesystem::path& folder);
  RunFolderLock(const RunFolderLock&) = delete;
  RunFolderLock& operator=(const RunFolderLock&) = delete;
  ~RunFolderLock();

  /// True when a process holds it; false where that cannot be told.
  static bool is_held(const std::filesystem::path& folder);

 private:
  int descriptor_;
};

/// Writes the file whole or not at all. CheckpointError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace lipizz::master
