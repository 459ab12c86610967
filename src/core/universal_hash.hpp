#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.hpp"

namespace lipizz {

/// NH (Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: Fast and Secure Message
/// Authentication", CRYPTO 1999): whoever chooses two messages of one length and does not know the
/// key gets digests that are alike with probability 2^-64 at most. It makes long messages short at
/// several bytes in a cycle; what it makes is to be hashed with a secret of its own.
struct UniversalHash {
  static constexpr std::size_t kBlockBytes = 1024;
  static constexpr std::size_t kDigestBytes = 16;  // of each block that is begun
  static constexpr std::size_t kWords = kBlockBytes / sizeof(std::uint32_t);
  static constexpr std::size_t kShift = 4;  // words, from the key of the first sum to the second's
  using Key = std::array<std::uint32_t, kWords + kShift>;

  /// The last block counts as if it were filled with zeros.
  static Bytes digest(const Key& key, std::span<const std::byte> bytes);
};

}  // namespace lipizz
