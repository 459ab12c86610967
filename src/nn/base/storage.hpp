#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

namespace lipizz::nn {

/// A place for the elements of buffers other than memory that stays. Several threads may use it at
/// once.
class Storage {
 public:
  virtual ~Storage() = default;
  /// Bytes that are zero, aligned as buffers are. Error where there is no more space.
  [[nodiscard]] virtual void* allocate(std::size_t n_bytes) const = 0;
  virtual void release(void* bytes, std::size_t n_bytes) const noexcept = 0;
};

/// Where a buffer lies; null: in memory.
using StoragePointer = std::shared_ptr<const Storage>;

/// Files without a name in a folder, mapped into memory: a system that is short of memory writes
/// them out, and reads what is used of them again. They are gone with the process, however it ends.
class DiskStorage final : public Storage {
 public:
  /// ConfigError where files cannot be made there, or would be in memory (tmpfs).
  explicit DiskStorage(std::filesystem::path folder);
  [[nodiscard]] void* allocate(std::size_t n_bytes) const override;
  void release(void* bytes, std::size_t n_bytes) const noexcept override;

 private:
  std::filesystem::path folder_;
};

}  // namespace lipizz::nn
