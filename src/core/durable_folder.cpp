#include "core/durable_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace lipizz {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* action, const fs::path& folder, const std::string& reason) {
  throw CheckpointError("cannot " + std::string(action) + " the folder " + folder.string() + ": " +
                        reason);
}

// Answers of file systems without this, and of a folder that may not be read.
bool cannot_be_told(int error) {
  return error == EINVAL || error == ENOTSUP || error == ENOSYS || error == EACCES;
}

int synced(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

void sync_folder(const fs::path& folder) {
  const int error = synced(folder.empty() ? "." : folder);
  if (error == 0 || cannot_be_told(error)) return;
  fail("put on the disk", folder, std::generic_category().message(error));
}

bool is_missing(const fs::path& path) {
  std::error_code failure;
  return fs::symlink_status(path, failure).type() == fs::file_type::not_found;
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  const bool is_new = fs::create_directory(folder, failure);
  if (failure == std::errc::file_exists) fail("make", folder, "expected a folder, found a file");
  if (failure) fail("make", folder, failure.message());
  if (is_new) sync_folder(folder.parent_path());
}

void make_folders(const fs::path& folder) {
  std::error_code failure;
  const fs::file_type type = fs::status(folder, failure).type();
  if (type == fs::file_type::directory) return;
  if (failure && type != fs::file_type::not_found) fail("make", folder, failure.message());
  if (folder.has_parent_path() && folder.has_relative_path()) make_folders(folder.parent_path());
  make_folder(folder);
}

void replace_folder(const fs::path& made, const fs::path& folder) {
  fs::path before = folder;
  before += ".old";
  std::error_code failure;
  fs::remove_all(before, failure);
  if (!failure && !is_missing(folder)) fs::rename(folder, before, failure);
  if (!failure) fs::rename(made, folder, failure);
  if (failure) fail("replace", folder, failure.message());
  sync_folder(folder.parent_path());
  fs::remove_all(before, failure);
  if (failure) fail("remove", before, failure.message());
}

}  // namespace lipizz
