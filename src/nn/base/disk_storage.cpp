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

namespace lipizz::nn {
namespace {

constexpr auto kTmpfs = 0x01021994;  // as Linux tells it: TMPFS_MAGIC

[[noreturn]] void refuse(const std::filesystem::path& folder, int error) {
  throw ConfigError("offload_folder: nothing more can be put in " + folder.string() + ": " +
                    std::generic_category().message(error) +
                    "; name a folder on a disk with space, or set offload to none");
}

// An open file without a name, which is closed again; what is mapped of it stays.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& folder) {
    std::string name = (folder / "lipizz-XXXXXX").string();
    descriptor_ = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unlink(name.c_str());
  }
  UnnamedFile(const UnnamedFile&) = delete;
  ~UnnamedFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

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
  const UnnamedFile file(folder_);
  if (file.descriptor() < 0) refuse(folder_, errno);
  const int error = posix_fallocate(file.descriptor(), 0, static_cast<off_t>(n_bytes));
  if (error != 0) refuse(folder_, error);
  void* const bytes =
      mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
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
