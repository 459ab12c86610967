#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// A part of a slot.
struct SlotPart {
  SlotId slot;
  std::size_t first = 0;  // elements
  std::size_t n = 0;

  [[nodiscard]] std::size_t end() const { return first + n; }
  auto operator<=>(const SlotPart&) const = default;
};

/// A record of who has written a slot's elements last, and who has read them since, as operations
/// come one after the other.
class SlotLog {
 public:
  /// A part that has the same writer and readers throughout.
  struct Piece {
    SlotPart part;
    std::optional<std::uint32_t> writer;  // an operation; none: it came from outside
    const std::set<std::uint32_t>& readers;
  };
  using Visit = std::function<void(const Piece& piece)>;

  /// Visits the pieces of a part, as they are before this operation reads or writes them.
  void read(const SlotPart& part, std::uint32_t operation, const Visit& visit);
  void write(const SlotPart& part, std::uint32_t operation, const Visit& visit);

 private:
  struct State {
    std::size_t end;
    std::optional<std::uint32_t> writer;
    std::set<std::uint32_t> readers;
  };
  using States = std::map<std::size_t, State>;  // by their first elements; gaps are untouched

  static void split(States& states, std::size_t at);
  static void fill_gaps(States& states, const SlotPart& part);
  template <class Change>
  void touch(const SlotPart& part, const Visit& visit, const Change& change);

  std::map<SlotId, States> states_;
};

}  // namespace lipizz::nn
