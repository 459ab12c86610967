#include "checkpoint/held_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint {
namespace {

namespace fs = std::filesystem;

int open_folder(const fs::path& path) {
  make_folders(path);
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

HeldFolder::HeldFolder(fs::path path)
    : path_(path.has_filename() ? std::move(path) : path.parent_path()),
      descriptor_(open_folder(path_)) {
  if (descriptor_ >= 0 && ::fstat(descriptor_, &identity_) == 0) return;
  const int error = errno;
  if (descriptor_ >= 0) ::close(descriptor_);
  throw CheckpointError("cannot open the folder " + path_.string() + ": " +
                        std::generic_category().message(error));
}

HeldFolder::~HeldFolder() {
  ::close(descriptor_);
}

bool HeldFolder::is_at(const fs::path& path) const {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && found.st_dev == identity_.st_dev &&
         found.st_ino == identity_.st_ino;
}

bool HeldFolder::is_removed() const {
  struct stat now {};
  return ::fstat(descriptor_, &now) != 0 || now.st_nlink == 0;
}

// Where the system has lost track of a folder that another host renamed, its handle still leads
// there.
fs::path HeldFolder::path_of_handle() const {
  const fs::path handle = "/proc/self/fd/" + std::to_string(descriptor_);
  std::error_code none;
  const fs::path told = fs::read_symlink(handle, none);
  return is_at(told) ? told : handle;
}

std::string HeldFolder::loss() const {
  if (is_at(path_)) return "";
  return is_removed() ? "was removed" : "was renamed to " + path_of_handle().string();
}

fs::path HeldFolder::present() const {
  if (is_at(path_)) return path_;
  if (!is_removed()) return path_of_handle();
  const fs::path rescue = path_.string() + "-rescued-" + std::to_string(identity_.st_ino);
  make_folder(rescue);
  return rescue;
}

}  // namespace lipizz::checkpoint
