#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lipizz::master {

/// `runs/<name>-20260131T120000Z-<process>`. `process` tells those apart that begin in the same
/// second, on whatever hosts.
std::filesystem::path default_output_dir(const std::string& name,
                                         std::chrono::system_clock::time_point now,
                                         const std::string& process);

/// True where a run has begun: its configuration is there, with which it goes on.
bool has_begun(const std::filesystem::path& folder);

/// The absolute path of the folder of a new run. ConfigError when it exists already, whatever it
/// is, but for what a master leaves that is lost before its run has begun: its lock and its logs,
/// and nothing else.
std::filesystem::path check_run_folder(const std::filesystem::path& folder);

/// Makes the folder of a run, its lock in it, with the folders above it, or takes the one of a run
/// that never began, and returns its absolute path. ConfigError as above, or when it cannot be
/// made. Whoever holds its lock then looks with expect_unbegun() whether somebody else was quicker.
std::filesystem::path make_run_folder(const std::filesystem::path& folder);

/// ConfigError when a run has begun there.
void expect_unbegun(const std::filesystem::path& folder);

class RunFolderLock;

/// Removes what the master itself has written there, of a run that ends before any worker has
/// begun, file by file (configuration, lock, log, an empty log of metrics), and the folder when
/// nothing else is in it; nothing where `held` is not the lock in this folder.
void remove_beginning(const std::filesystem::path& folder, const RunFolderLock& held);

/// Held by the master of a run, so that a second one does not go on with it at the same time. Ends
/// with the process, whatever ends that.
class RunFolderLock {
 public:
  /// ConfigError when another process holds it. It bears the name of its
  /// holder, whoever started this process, by a name of their own.
  explicit RunFolderLock(const std::filesystem::path& folder, const std::string& holder = {});
  RunFolderLock(const RunFolderLock&) = delete;
  RunFolderLock& operator=(const RunFolderLock&) = delete;
  ~RunFolderLock();

  /// Says that it could not be taken and why, as on file systems that know no locks; empty where it
  /// is held.
  [[nodiscard]] const std::string& doubt() const { return doubt_; }

  /// True when it is the lock in this folder, which may have been replaced by another one.
  [[nodiscard]] bool is_in(const std::filesystem::path& folder) const;

  /// True when a process holds it; false where that cannot be told.
  static bool is_held(const std::filesystem::path& folder);
  /// True when no process holds it, as far as this host knows the locks of others; false where that
  /// cannot be told.
  static bool is_free(const std::filesystem::path& folder);
  /// The name of whoever holds it, or was the last to; empty where there is none.
  static std::string last_holder(const std::filesystem::path& folder);
  /// When it was last taken by somebody with a name, or made; nothing before.
  static std::optional<std::filesystem::file_time_type> last_taken(
      const std::filesystem::path& folder);

 private:
  int descriptor_;
  std::string doubt_;
};

/// Writes the file whole or not at all. CheckpointError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace lipizz::master
