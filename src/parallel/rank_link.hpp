#pragma once

#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::parallel {

/// The way between the ranks of a cell, as one of them sees it. Messages from one to another come
/// in the order in which they were sent.
class RankLink {
 public:
  virtual ~RankLink() = default;
  [[nodiscard]] virtual RankInCell self() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  /// Returns at once. Not to itself. May throw, as receive().
  virtual void send(RankInCell to, Bytes message) = 0;
  /// Waits for the next message of that rank. May throw, which ends the collective that waits.
  [[nodiscard]] virtual Bytes receive(RankInCell from) = 0;
  /// Hears, before its messages, which collective begins: `a reduce-scatter`, a text that stays.
  virtual void begin_collective(std::string_view /*name*/) {}
};

}  // namespace lipizz::parallel
