#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"

namespace lipizz {
namespace {

std::filesystem::path beside(const std::filesystem::path& path) {
  return path.string() + ".tmp-" + random_id();
}

int open_new(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(path), temporary_(beside(path)), descriptor_(open_new(temporary_)) {
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
  sync_folder(path_.parent_path());  // without this the rename itself may be lost with the power
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

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace lipizz
