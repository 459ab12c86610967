#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

#include "nn/base/buffer.hpp"

namespace lipizz::nn {

/// A contiguous, aligned array whose copies share its memory until one of them is written
/// (copy-on-write). Copies are values of their own otherwise: several threads may use them at once,
/// as they may use several Buffers. To who only reads it is a range of const elements.
template <class T>
class SharedBuffer {
 public:
  using value_type = T;
  using const_iterator = const T*;

  SharedBuffer() = default;
  /// n elements, all zero.
  explicit SharedBuffer(std::size_t n, const StoragePointer& storage = {})
      : SharedBuffer(Buffer<T>(n, AlignedAllocator<T>(storage))) {}
  SharedBuffer(Buffer<T> values)  // NOLINT: the same array
      : block_(values.empty() ? nullptr : new Block{std::move(values)}) {}
  SharedBuffer(const SharedBuffer& other) : block_(other.block_) {
    if (block_ != nullptr) block_->n_owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedBuffer(SharedBuffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedBuffer& operator=(SharedBuffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedBuffer() {
    const bool is_last =
        block_ != nullptr && block_->n_owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (is_last) delete block_;
  }

  [[nodiscard]] std::size_t size() const { return block_ == nullptr ? 0 : block_->values.size(); }
  [[nodiscard]] bool empty() const { return block_ == nullptr; }
  [[nodiscard]] const T* data() const {
    return block_ == nullptr ? nullptr : block_->values.data();
  }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return data()[i]; }

  /// Its elements, in memory that no copy shares. Where one did, spans that were made before are
  /// still of the other's.
  [[nodiscard]] std::span<T> writable() {
    if (block_ != nullptr && !is_sole_owner()) *this = SharedBuffer(block_->values);
    return block_ == nullptr ? std::span<T>() : std::span<T>(block_->values);
  }
  /// Makes it n elements of any value, in memory that no copy shares. Those that are made anew lie
  /// in this storage.
  void reset(std::size_t n, const StoragePointer& storage = {}) {
    if (n != size() || !is_sole_owner()) *this = SharedBuffer(n, storage);
  }
  /// Where its elements lie.
  [[nodiscard]] StoragePointer storage() const {
    return block_ == nullptr ? nullptr : block_->values.get_allocator().storage;
  }

  bool operator==(const SharedBuffer& other) const { return std::ranges::equal(*this, other); }

 private:
  struct Block {
    Buffer<T> values;  // not empty
    std::atomic<std::size_t> n_owners = 1;
  };

  // All that others have read of it has happened before the next write.
  [[nodiscard]] bool is_sole_owner() const {
    return block_ != nullptr && block_->n_owners.load(std::memory_order_acquire) == 1;
  }

  Block* block_ = nullptr;
};

/// Its elements: to be written where it is not const.
template <class T>
std::span<T> elements(SharedBuffer<T>& buffer) {
  return buffer.writable();
}
template <class T>
std::span<const T> elements(const SharedBuffer<T>& buffer) {
  return buffer;
}

}  // namespace lipizz::nn
