#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/block_cache.hpp"
#include "nn/base/storage.hpp"

namespace lipizz::nn {

/// Bytes that every network buffer is aligned to and padded to: a cache line, and a full vector.
inline constexpr std::size_t kAlignment = kCacheLine;

/// Gives memory, or what a storage has. An array that is made as a copy of another one lies where
/// that does.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  AlignedAllocator() = default;
  AlignedAllocator(const AlignedAllocator&) = default;  // what is moved from stays what it is
  AlignedAllocator& operator=(const AlignedAllocator&) = default;
  explicit AlignedAllocator(StoragePointer place) : storage(std::move(place)) {}
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>& other) : storage(other.storage) {}
  T* allocate(std::size_t n) {
    if (storage != nullptr) return static_cast<T*>(storage->allocate(n * sizeof(T)));
    return static_cast<T*>(allocate_aligned(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) {
    if (storage != nullptr) return storage->release(p, n * sizeof(T));
    free_aligned(p, n * sizeof(T));
  }
  bool operator==(const AlignedAllocator&) const = default;

  StoragePointer storage{};
};

/// A contiguous, aligned array that owns its memory, or lies in a storage; zero when made.
template <class T>
using Buffer = std::vector<T, AlignedAllocator<T>>;

/// `n` elements rounded up so that the next one starts aligned.
template <class T>
constexpr std::size_t padded(std::size_t n) {
  constexpr std::size_t kStep = kAlignment / sizeof(T);
  return (n + kStep - 1) / kStep * kStep;
}

}  // namespace lipizz::nn
