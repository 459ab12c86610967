#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/bytes.hpp"

namespace lipizz::data {

/// Read-only memory that processes of one node share and that no killed process can leave behind:
/// it never has a name in any file system.
///
/// The creator fills an anonymous file (memfd) and seals it, so that nobody can change or shrink it
/// any more. Others open it through /proc/PID/fd/N of the creator, which takes the same user and
/// the same process namespace. The kernel frees the memory when the last mapping and descriptor are
/// gone, however the processes ended. The creator must live until the others have mapped it, no
/// longer.
class SharedRegion {
 public:
  using Fill = std::function<void(std::span<std::byte>)>;

  /// A new region of `n_bytes` >= 1; `fill` writes its content (it starts as zeros). An
  /// exception of `fill` passes through. OutOfMemory when there is not enough memory; DataError.
  static SharedRegion create(std::size_t n_bytes, const Fill& fill);

  /// Maps the region that `handle` describes. DataError saying why when it is gone, out of reach or
  /// not what the handle says.
  static SharedRegion open(std::span<const std::byte> handle);

  SharedRegion(SharedRegion&& other) noexcept;
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  /// For open() in another process, as long as this process holds the region.
  [[nodiscard]] Bytes handle() const;

 private:
  SharedRegion(int descriptor, std::span<const std::byte> bytes);

  int descriptor_;
  std::span<const std::byte> bytes_;
};

}  // namespace lipizz::data
