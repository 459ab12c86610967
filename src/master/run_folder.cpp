#include "master/run_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "checkpoint/file_lock.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".lock";
constexpr const char* kLog = "run.log";
constexpr const char* kEvents = "events.jsonl";
constexpr const char* kMetrics = "metrics.jsonl";
constexpr const char* kConfiguration = "config.json";

// Belongs to the open file, not to the process as other locks of fcntl(2) do, and asking whether it
// is held disturbs nobody.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw ConfigError("cannot make the output folder " + folder.string() + ": " + reason +
                    "; choose another one with --output");
}

[[noreturn]] void fail_because_it_exists(const fs::path& folder) {
  fail(folder, "it exists already, and nothing is overwritten");
}

// A file that a master writes before its run has begun; a configuration bears another name until it
// is whole.
bool is_of_a_start(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code unknown;
  if (name == kMetrics) return entry.file_size(unknown) == 0 && !unknown;
  return name == kLockFile || name == kLog || name == kEvents ||
         (name != kConfiguration && name.find(kConfiguration) != std::string::npos);
}

bool was_left_unbegun(const fs::path& folder) {
  std::error_code failure;
  if (!fs::is_directory(fs::symlink_status(folder, failure)) ||
      !fs::is_regular_file(folder / kLockFile, failure) || RunFolderLock::is_held(folder)) {
    return false;
  }
  const fs::directory_iterator files(folder, failure);
  return !failure && std::all_of(begin(files), end(files), is_of_a_start);
}

// It appears with its lock in it: an empty one, of a master that was killed before it had made the
// lock, could not be told from a folder of somebody else's. Where another master was quicker, that
// one's stays. (An empty folder that appears at this very moment is taken.)
void make_with_lock(const fs::path& folder) {
  const fs::path made = folder.parent_path() / ("." + random_id() + ".tmp");
  std::error_code failure;
  fs::create_directory(made, failure);
  if (failure) fail(folder, failure.message());
  const bool has_lock = std::ofstream(made / kLockFile).is_open();
  if (has_lock) fs::rename(made, folder, failure);
  if (has_lock && !failure) return;
  std::error_code none;
  fs::remove_all(made, none);
  if (!has_lock) fail(folder, "no file can be made in it");
  if (failure != std::errc::directory_not_empty && failure != std::errc::file_exists) {
    fail(folder, failure.message());
  }
}

}  // namespace

fs::path default_output_dir(const std::string& name, std::chrono::system_clock::time_point now,
                            const std::string& process) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &utc);
  return "runs/" + name + "-" + time + "-" + process;
}

fs::path check_run_folder(const fs::path& folder) {
  std::error_code failure;
  fs::path absolute = fs::absolute(folder, failure).lexically_normal();
  if (failure) fail(folder, failure.message());
  if (!absolute.has_filename()) absolute = absolute.parent_path();  // it ended with a slash
  const bool exists = fs::exists(fs::symlink_status(absolute, failure));
  if (exists && !was_left_unbegun(absolute)) fail_because_it_exists(absolute);
  return absolute;
}

fs::path make_run_folder(const fs::path& folder) {
  const fs::path absolute = check_run_folder(folder);
  try {
    make_folders(absolute.parent_path());
    if (!was_left_unbegun(absolute)) make_with_lock(absolute);
    if (!was_left_unbegun(absolute)) fail_because_it_exists(absolute);
    sync_folder(absolute.parent_path());
  } catch (const CheckpointError& error) {
    fail(absolute, error.what());
  }
  return absolute;
}

bool has_begun(const fs::path& folder) {
  std::error_code none;
  return fs::is_regular_file(folder / kConfiguration, none);
}

void expect_unbegun(const fs::path& folder) {
  if (has_begun(folder)) fail_because_it_exists(folder);
}

void remove_beginning(const fs::path& folder, const RunFolderLock& held) {
  if (!held.is_in(folder)) return;
  std::error_code none;
  const fs::path metrics = folder / kMetrics;
  if (fs::is_empty(metrics, none) && !none) fs::remove(metrics, none);
  for (const char* file : {kConfiguration, kEvents, kLog, kLockFile})
    fs::remove(folder / file, none);
  fs::remove(folder, none);  // fails where anything is left
}

RunFolderLock::RunFolderLock(const fs::path& folder, const std::string& holder)
    : descriptor_(
          ::open((folder / kLockFile).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  struct flock whole = whole_file();
  if (descriptor_ < 0 || ::fcntl(descriptor_, F_OFD_SETLK, &whole) != 0) {
    const int error = errno;
    if (descriptor_ >= 0 && (error == EAGAIN || error == EACCES)) {
      ::close(descriptor_);
      throw ConfigError("the run in " + folder.string() +
                        " is going on in another process; wait for it, or end it");
    }
    doubt_ = "cannot lock " + (folder / kLockFile).string() + ": " +
             std::generic_category().message(error) +
             "; a second process could go on with this run beside it: take care that none does";
  }
  // Where it cannot be written the run goes on all the same; only its launcher asks.
  const bool is_empty = ::ftruncate(descriptor_, 0) == 0;
  if (is_empty) static_cast<void>(!::pwrite(descriptor_, holder.data(), holder.size(), 0));
}

std::string RunFolderLock::last_holder(const fs::path& folder) {
  std::ifstream file(folder / kLockFile);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<fs::file_time_type> RunFolderLock::last_taken(const fs::path& folder) {
  std::error_code none;
  const auto time = fs::last_write_time(folder / kLockFile, none);
  return none ? std::nullopt : std::optional(time);
}

bool RunFolderLock::is_in(const fs::path& folder) const {
  struct stat own {};
  struct stat there {};
  return ::fstat(descriptor_, &own) == 0 && ::stat((folder / kLockFile).c_str(), &there) == 0 &&
         own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

bool RunFolderLock::is_held(const fs::path& folder) {
  return checkpoint::is_locked(folder / kLockFile);
}

bool RunFolderLock::is_free(const fs::path& folder) {
  return checkpoint::lock_state(folder / kLockFile) == checkpoint::LockState::kFree;
}

RunFolderLock::~RunFolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void write_file(const fs::path& path, std::string_view text) {
  write_atomically(path, text);
}

}  // namespace lipizz::master
