#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lipizz::nn {

/// Bytes that every network buffer is aligned to and padded to: a cache line, and a full vector.
inline constexpr std::size_t kAlignment = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{kAlignment}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

/// A contiguous, aligned array that owns its memory; zero when made.
template <class T>
using Buffer = std::vector<T, AlignedAllocator<T>>;

/// `n` elements rounded up so that the next one starts aligned.
template <class T>
constexpr std::size_t padded(std::size_t n) {
  constexpr std::size_t kStep = kAlignment / sizeof(T);
  return (n + kStep - 1) / kStep * kStep;
}

}  // namespace lipizz::nn
