#include "checkpoint/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::checkpoint {
namespace {

std::filesystem::path beside(const std::filesystem::path& path) {
  return path.string() + ".tmp-" + std::to_string(::getpid());
}

// Without this the rename itself may be lost with the power. Some file systems cannot do it.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(path),
      temporary_(beside(path)),
      descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("create");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t n_written = ::write(descriptor_, data.data(), data.size());
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written < 0) fail("write");
    data = data.subspan(static_cast<std::size_t>(n_written));
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail("write");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  ::close(descriptor_);
  descriptor_ = -1;
  sync_folder(path_);
}

void AtomicFile::fail(const char* action) const {
  const std::string reason = std::generic_category().message(errno);
  throw CheckpointError("cannot " + std::string(action) + " " + path_.string() + ": " + reason +
                        "; check that the folder exists, may be written to and has room");
}

void write_atomically(const std::filesystem::path& path, std::span<const std::byte> content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace lipizz::checkpoint
