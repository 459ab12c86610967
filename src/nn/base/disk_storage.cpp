#include "nn/base/disk_storage.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "core/file_descriptor.hpp"

namespace lipizz::nn {
namespace {

constexpr auto kTmpfs = 0x01021994;  // as Linux tells it: TMPFS_MAGIC

[[noreturn]] void refuse(const std::filesystem::path& folder, int error) {
  throw ConfigError("offload_folder: nothing more can be put in " + folder.string() + ": " +
                    std::generic_category().message(error) +
                    "; name a folder on a disk with space, or set offload to none");
}

// A file whose pages stay when it is closed, where they are mapped.
FileDescriptor unnamed_file(const std::filesystem::path& folder) {
  std::string name = (folder / "lipizz-XXXXXX").string();
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) refuse(folder, errno);
  unlink(name.c_str());
  return FileDescriptor(descriptor);
}

}  // namespace

void DiskStorage::check() const {
  struct statfs about {};
  if (statfs(folder_.c_str(), &about) == 0 && about.f_type == kTmpfs) {
    throw ConfigError("offload_folder: " + folder_.string() +
                      " is in memory (tmpfs); name a folder on a disk");
  }
  constexpr std::size_t kAny = 1;
  release(allocate(kAny), kAny);
}

// Space is taken at once: a file that cannot grow would end the process where it is written.
void* DiskStorage::allocate(std::size_t n_bytes) const {
  const FileDescriptor file = unnamed_file(folder_);
  const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(n_bytes));
  if (error != 0) refuse(folder_, error);
  void* const bytes = mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (bytes == MAP_FAILED) {
    throw ConfigError(
        "offload: " + std::to_string(n_bytes) + " bytes of a file cannot be mapped into memory: " +
        std::generic_category().message(errno) + "; raise the limit on addresses (ulimit -v)");
  }
  return bytes;
}

void DiskStorage::release(void* bytes, std::size_t n_bytes) const noexcept {
  munmap(bytes, n_bytes);
}

}  // namespace lipizz::nn
