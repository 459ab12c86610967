#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace lipizz {

/// A streaming 64-bit hash (not cryptographic), the same on every machine. The value depends on the
/// bytes alone, not on how they were cut into calls.
///
/// Blocks of eight bytes go through the multiply-and-rotate mixing of MurmurHash3's 128-bit variant
/// (A. Appleby), reduced to one lane.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed = 0) : state_(seed ^ 0x9e3779b97f4a7c15ULL) {}

  void bytes(std::span<const std::byte> data);

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void value(T v) { bytes(std::as_bytes(std::span<const T>(&v, 1))); }

  template <class T>
  requires std::is_arithmetic_v<T>
  void values(std::span<const T> v) { bytes(std::as_bytes(v)); }

  void text(std::string_view s) { bytes(std::as_bytes(std::span<const char>(s.data(), s.size()))); }

  /// The hash of everything so far; more may follow.
  [[nodiscard]] std::uint64_t digest() const;

 private:
  void block(std::uint64_t word);

  std::uint64_t state_;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t tail_ = 0;  // the last n_bytes_ % 8 bytes, low end first
};

/// Sixteen lower-case hexadecimal digits.
std::string to_hex(std::uint64_t hash);

}  // namespace lipizz
