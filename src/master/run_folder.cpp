#include "master/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <span>
#include <system_error>

#include "checkpoint/atomic_file.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".lock";

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

}  // namespace

fs::path default_output_dir(const std::string& name, std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &utc);
  const std::string base = "runs/" + name + "-" + time;
  fs::path folder = base;
  std::error_code unknown;  // whoever makes the folder will say so
  for (int n = 2; fs::exists(folder, unknown); ++n) folder = base + "-" + std::to_string(n);
  return folder;
}

fs::path check_run_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = fs::absolute(folder, failure).lexically_normal();
  if (failure) fail(folder, failure.message());
  if (fs::exists(fs::symlink_status(absolute, failure))) {
    fail(absolute, "it exists already, and nothing is overwritten");
  }
  return absolute;
}

fs::path make_run_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = check_run_folder(folder);
  if (absolute.has_parent_path()) fs::create_directories(absolute.parent_path(), failure);
  if (failure) fail(absolute, failure.message());
  const bool made = fs::create_directory(absolute, failure);
  if (failure) fail(absolute, failure.message());
  if (!made) fail(absolute, "it exists already, and nothing is overwritten");
  return absolute;
}

void remove_unbegun_run(const fs::path& folder) {
  std::error_code none;
  if (fs::exists(folder / "config.json", none) || RunFolderLock::is_held(folder)) return;
  if (!fs::remove(folder / kLockFile, none)) return;  // no master made this folder
  fs::remove(folder / "run.log", none);
  const fs::path metrics = folder / "metrics.jsonl";
  if (fs::is_empty(metrics, none) && !none) fs::remove(metrics, none);
  fs::remove(folder, none);  // fails where anything is left
}

RunFolderLock::RunFolderLock(const fs::path& folder)
    : descriptor_(::open((folder / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  struct flock whole = whole_file();
  if (descriptor_ < 0 || ::fcntl(descriptor_, F_OFD_SETLK, &whole) == 0 ||
      (errno != EAGAIN && errno != EACCES)) {
    return;
  }
  ::close(descriptor_);
  throw ConfigError("the run in " + folder.string() +
                    " is going on in another process; wait for it, or end it");
}

bool RunFolderLock::is_held(const fs::path& folder) {
  const int descriptor = ::open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock whole = whole_file();
  const bool is_known = ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0;
  ::close(descriptor);
  return is_known && whole.l_type != F_UNLCK;
}

RunFolderLock::~RunFolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void write_file(const fs::path& path, std::string_view text) {
  checkpoint::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace lipizz::master
