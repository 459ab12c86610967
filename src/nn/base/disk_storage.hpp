#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

#include "nn/base/storage.hpp"

namespace lipizz::nn {

/// Files without a name in a folder, mapped into memory: a system that is short of memory gives
/// their pages up, and reads those again that are used. They are gone with the process, however it
/// ends.
class DiskStorage final : public Storage {
 public:
  explicit DiskStorage(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// ConfigError where files cannot be made there, or would be in memory (tmpfs).
  void check() const;
  /// ConfigError where there is no space for them, or none among the addresses of the process.
  [[nodiscard]] void* allocate(std::size_t n_bytes) const override;
  void release(void* bytes, std::size_t n_bytes) const noexcept override;

 private:
  std::filesystem::path folder_;
};

}  // namespace lipizz::nn
