#include "data/node_shared.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/out_of_memory.hpp"

namespace lipizz::data {
namespace {

constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW;
constexpr int kWriteSeals = F_SEAL_WRITE | F_SEAL_FUTURE_WRITE;  // either will do

/// Where the file is, and what tells it from any other that the number may stand for by now.
struct Handle {
  std::int32_t pid;
  std::int32_t descriptor;
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t n_bytes;
};

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw DataError(what + ": " + std::generic_category().message(error_number));
}

[[noreturn]] void fail_for(const char* what, std::size_t n_bytes, int error_number) {
  if (error_number == ENOMEM || error_number == ENOSPC) throw OutOfMemory(n_bytes);
  fail("cannot " + std::string(what) + " " + std::to_string(n_bytes >> 20) + " MB of shared memory",
       error_number);
}

struct stat status_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail("cannot examine shared memory", errno);
  return status;
}

std::span<std::byte> map(int descriptor, std::size_t n_bytes, int protection) {
  void* address = ::mmap(nullptr, n_bytes, protection, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) fail_for("map", n_bytes, errno);
  return {static_cast<std::byte*>(address), n_bytes};
}

void fill_mapping(int descriptor, std::size_t n_bytes, const SharedRegion::Fill& fill) {
  const std::span<std::byte> writable = map(descriptor, n_bytes, PROT_READ | PROT_WRITE);
  try {
    fill(writable);
  } catch (...) {
    ::munmap(writable.data(), n_bytes);
    throw;
  }
  ::munmap(writable.data(), n_bytes);  // before the seal: it keeps out new mappings only
}

// F_SEAL_WRITE is refused as long as the kernel itself holds on to a page; F_SEAL_FUTURE_WRITE,
// which says the same of a file that nobody has mapped, is not, but takes Linux 5.1.
void seal(int descriptor) {
  if (::fcntl(descriptor, F_ADD_SEALS, kSeals | F_SEAL_FUTURE_WRITE) == 0) return;
  if (errno == EINVAL && ::fcntl(descriptor, F_ADD_SEALS, kSeals | F_SEAL_WRITE) == 0) return;
  fail("cannot seal shared memory", errno);
}

bool is_sealed(int descriptor) {
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & kSeals) == kSeals && (seals & kWriteSeals) != 0;
}

bool is_the_file(const Handle& handle, int descriptor) {
  const struct stat status = status_of(descriptor);
  return status.st_dev == handle.device && status.st_ino == handle.inode &&
         static_cast<std::uint64_t>(status.st_size) == handle.n_bytes && is_sealed(descriptor);
}

}  // namespace

SharedRegion SharedRegion::create(std::size_t n_bytes, const Fill& fill) {
  FileDescriptor file(::memfd_create("lipizz-dataset", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0) fail("cannot create shared memory", errno);
  // Reserved now: running out later would kill the process with a signal instead of a message.
  const int error_number = ::posix_fallocate(file.get(), 0, static_cast<off_t>(n_bytes));
  if (error_number != 0) fail_for("reserve", n_bytes, error_number);
  fill_mapping(file.get(), n_bytes, fill);
  seal(file.get());
  const std::span<const std::byte> bytes = map(file.get(), n_bytes, PROT_READ);
  return {file.release(), bytes};
}

SharedRegion SharedRegion::open(std::span<const std::byte> bytes) {
  if (bytes.size() != sizeof(Handle)) {
    throw DataError("shared memory: expected a handle of " + std::to_string(sizeof(Handle)) +
                    " bytes, found " + std::to_string(bytes.size()));
  }
  ByteReader reader(bytes, "a handle of shared memory");
  const auto handle = reader.value<Handle>();
  const std::string path =
      "/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.descriptor);
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail("cannot open shared memory at " + path, errno);
  if (!is_the_file(handle, file.get())) {
    throw DataError("expected shared memory at " + path + ", found another file");
  }
  const std::span<const std::byte> mapped = map(file.get(), handle.n_bytes, PROT_READ);
  return {file.release(), mapped};
}

SharedRegion::SharedRegion(int descriptor, std::span<const std::byte> bytes)
    : descriptor_(descriptor), bytes_(bytes) {}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(std::exchange(other.bytes_, {})) {}

SharedRegion::~SharedRegion() {
  if (descriptor_ < 0) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

Bytes SharedRegion::handle() const {
  const struct stat status = status_of(descriptor_);
  ByteWriter writer;
  writer.value(Handle{::getpid(), descriptor_, status.st_dev, status.st_ino, bytes_.size()});
  return writer.take();
}

}  // namespace lipizz::data
