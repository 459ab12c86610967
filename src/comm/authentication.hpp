#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "comm/route.hpp"
#include "core/bytes.hpp"
#include "core/universal_hash.hpp"

namespace lipizz::comm {

/// The secret that the processes of one run share: a key for short messages, and one from which
/// those for long messages are drawn.
using AuthenticationKey = std::array<std::byte, 48>;

/// Nobody makes it for a message who does not know the key: SipHash-2-4 with 128 bits (Aumasson and
/// Bernstein, INDOCRYPT 2012), by libsodium, of the message or, where that is longer than a block,
/// of its digest (core/universal_hash.hpp) and its length, by another key.
using AuthenticationCode = std::array<std::byte, 16>;

/// Tells messages of this run from those that other programs inject, from altered and from repeated
/// ones. It hides nothing. One thread at a time protects and opens; any makes codes.
class Authenticator {
 public:
  /// Bytes by which protect() makes a message longer: its number, then its code.
  static constexpr std::size_t kAddedBytes = sizeof(std::uint64_t) + sizeof(AuthenticationCode);

  /// A key that nobody can guess.
  static AuthenticationKey draw_key();
  explicit Authenticator(const AuthenticationKey& key);

  /// Numbers the message and appends number and code, which bind it to its route. To be sent in the
  /// order of the calls.
  [[nodiscard]] Bytes protect(const Route& route, Bytes payload);
  /// The payload that was protected, or nothing where the code is not of this key, message and
  /// route, or the message is none after the last one of its source and scope.
  [[nodiscard]] std::optional<Bytes> open(const Route& route, Bytes message);

  /// The code of bytes alone, which a protected message may bear.
  [[nodiscard]] AuthenticationCode code_of(std::span<const std::byte> bytes) const;
  [[nodiscard]] bool is_code_of(const AuthenticationCode& code,
                                std::span<const std::byte> bytes) const;

 private:
  using HashKey = std::array<std::byte, 16>;
  struct LongKeys {
    HashKey code;
    UniversalHash::Key digest;
  };
  [[nodiscard]] AuthenticationCode code_of(std::span<const std::byte> bytes,
                                           std::span<const std::byte> behind) const;
  [[nodiscard]] AuthenticationCode code_of(const Route& route, const Bytes& numbered) const;

  HashKey short_key_{};
  LongKeys long_keys_{};
  std::map<std::pair<Scope, Rank>, std::uint64_t> sent_;      // messages to each rank
  std::map<std::pair<Scope, Rank>, std::uint64_t> received_;  // number of the last from each rank
};

}  // namespace lipizz::comm
