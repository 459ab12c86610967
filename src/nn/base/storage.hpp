#pragma once

#include <cstddef>
#include <memory>

namespace lipizz::nn {

/// A place for the elements of buffers other than memory that stays. Several threads may use it at
/// once.
class Storage {
 public:
  virtual ~Storage() = default;
  /// Bytes of any value, more than none, aligned as buffers are. Error where there is no more
  /// space.
  [[nodiscard]] virtual void* allocate(std::size_t n_bytes) const = 0;
  virtual void release(void* bytes, std::size_t n_bytes) const noexcept = 0;
};

/// Where a buffer lies; null: in memory.
using StoragePointer = std::shared_ptr<const Storage>;

}  // namespace lipizz::nn
