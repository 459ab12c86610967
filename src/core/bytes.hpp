#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/block_cache.hpp"

namespace lipizz {

static_assert(std::endian::native == std::endian::little,
              "messages, hashes and files are little-endian; a big-endian port must swap here");

/// Memory as core/block_cache.hpp has it. Elements that are made without a value have any.
template <class T>
struct UninitialisedAllocator {
  using value_type = T;
  UninitialisedAllocator() = default;
  template <class U>
  UninitialisedAllocator(const UninitialisedAllocator<U>&) {}  // NOLINT: the same memory
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_aligned(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { free_aligned(p, n * sizeof(T)); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  bool operator==(const UninitialisedAllocator&) const = default;
};

/// A message, or what a file holds. `Bytes(n)` and resize(n) leave the new bytes as they are:
/// whoever asks for them writes them.
using Bytes = std::vector<std::byte, UninitialisedAllocator<std::byte>>;

/// As a copy, reserve() and insert() at the end are, by blocks: those go from byte to byte.
Bytes copy_of(std::span<const std::byte> bytes);
void make_room(Bytes& bytes, std::size_t n_bytes);
void append(Bytes& bytes, std::span<const std::byte> added);

/// Appends plain values, spans and strings to a byte buffer; the counterpart of ByteReader.
class ByteWriter {
 public:
  /// Behind what is written, for what layers of messages append.
  static constexpr std::size_t kRoomBehind = 64;

  /// Reserves memory for so many bytes; beyond, large values are copied as the buffer grows.
  explicit ByteWriter(std::size_t n_expected = 0) { bytes_.reserve(n_expected + kRoomBehind); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void value(const T& v) { raw(&v, sizeof v); }

  /// A 64-bit count, then the elements.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void values(std::span<const T> v) {
    value(static_cast<std::uint64_t>(v.size()));
    raw(v.data(), v.size_bytes());
  }

  void text(std::string_view s) { values(std::span<const char>(s.data(), s.size())); }

  /// The bytes alone, without a count.
  void raw(const void* data, std::size_t n_bytes);

  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads what ByteWriter wrote. Every length is checked against what is left before anything is
/// allocated; a short or inconsistent buffer throws CommError with `what` in its message.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string_view what) : rest_(bytes), what_(what) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T value() {
    T v;
    std::memcpy(&v, take(sizeof v).data(), sizeof v);
    return v;
  }

  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> values() {
    const std::span<const std::byte> data = counted(sizeof(T));
    std::vector<T> v(data.size() / sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), data.data(), data.size());
    return v;
  }

  /// Reads exactly `out.size()` elements; another count in the buffer is an error.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void values_into(std::span<T> out) {
    const std::span<const std::byte> data = counted(sizeof(T));
    if (data.size() != out.size_bytes()) fail_size(out.size_bytes(), data.size());
    if (!out.empty()) std::memcpy(out.data(), data.data(), data.size());
  }

  std::string text();
  /// A 64-bit count, then as many bytes.
  Bytes bytes();

  /// Throws unless everything has been read.
  void expect_end() const;

  [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

 private:
  std::span<const std::byte> take(std::size_t n_bytes);
  std::span<const std::byte> counted(std::size_t element_bytes);
  [[noreturn]] void fail_size(std::size_t expected, std::size_t found) const;

  std::span<const std::byte> rest_;
  std::string what_;
};

}  // namespace lipizz
