// The program's `new` is the standard library's but for what it throws: that an allocation was
// refused is of little use to people without its size.

#include <cstdlib>
#include <new>

#include "core/out_of_memory.hpp"

namespace {

void* checked(void* memory, std::size_t n_bytes) {
  if (memory == nullptr) throw lipizz::OutOfMemory(n_bytes);
  return memory;
}

std::size_t at_least_one(std::size_t n_bytes) {
  return n_bytes > 0 ? n_bytes : 1;
}

}  // namespace

void* operator new(std::size_t n_bytes) {
  return checked(std::malloc(at_least_one(n_bytes)), n_bytes);
}

void* operator new(std::size_t n_bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  const bool is_refused =
      posix_memalign(&memory, static_cast<std::size_t>(alignment), at_least_one(n_bytes)) != 0;
  return checked(is_refused ? nullptr : memory, n_bytes);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
