#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include "core/error.hpp"

/// The function that every target implements (libFuzzer's entry): it takes any bytes and returns 0.
/// Each gives them to one reader of outside bytes, which may take them or refuse them by an Error
/// that is no bug of ours; a crash, another exception, a sanitizer's finding, or memory out of
/// proportion is a defect.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes);

namespace lipizz::fuzz {

/// True when `read` takes its input.
template <class Read>
bool accepts(Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInternal) std::abort();
    return false;
  }
}

inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t n_bytes) {
  return std::as_bytes(std::span(data, n_bytes));
}

/// A file that exists in memory alone, for readers of files.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::byte> content)
      : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (write(descriptor_, content.data(), content.size()) !=
        static_cast<ssize_t>(content.size())) {
      std::abort();
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  [[nodiscard]] std::filesystem::path path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace lipizz::fuzz
