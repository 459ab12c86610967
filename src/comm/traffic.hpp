#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "comm/protocol.hpp"

namespace lipizz::comm {

/// Messages and bytes that a process sends to others point to point while running, by communicator.
/// A publication counts as one message, its bytes include its header. Heartbeats, their answers and
/// set-up are not in it, nor is what authenticates messages.
struct Traffic {
  struct Count {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;

    bool operator==(const Count&) const = default;
    Count& operator+=(const Count& other) {
      messages += other.messages;
      bytes += other.bytes;
      return *this;
    }
  };
  std::array<Count, kScopes> by_scope;
  std::uint64_t unauthenticated = 0;  // messages that were dropped: no rank of this run sent them

  bool operator==(const Traffic&) const = default;
  [[nodiscard]] Count& on(Scope scope) { return by_scope[static_cast<std::size_t>(scope)]; }
  [[nodiscard]] const Count& on(Scope scope) const {
    return by_scope[static_cast<std::size_t>(scope)];
  }
  Traffic& operator+=(const Traffic& other) {
    for (std::size_t i = 0; i < kScopes; ++i) by_scope[i] += other.by_scope[i];
    unauthenticated += other.unauthenticated;
    return *this;
  }
};

}  // namespace lipizz::comm
