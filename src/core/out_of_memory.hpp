#pragma once

#include <cstddef>
#include <new>

namespace lipizz {

/// An allocation that was refused, with its size. The program's `new` throws it (app/new.cpp), and
/// so does whoever gets memory in other ways; libraries' own are std::bad_alloc.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t n_bytes) noexcept : n_bytes_(n_bytes) {}
  [[nodiscard]] const char* what() const noexcept override { return "out of memory"; }
  [[nodiscard]] std::size_t n_bytes() const noexcept { return n_bytes_; }

 private:
  std::size_t n_bytes_;
};

}  // namespace lipizz
