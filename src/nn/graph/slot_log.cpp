#include "nn/graph/slot_log.hpp"

#include <algorithm>
#include <iterator>

namespace lipizz::nn {

// So that a piece begins there, if it is in the midst of one.
void SlotLog::split(States& states, std::size_t at) {
  auto next = states.upper_bound(at);
  if (next == states.begin()) return;
  auto& [first, state] = *std::prev(next);
  if (first == at || state.end <= at) return;
  State rest = state;
  state.end = at;
  states.emplace_hint(next, at, std::move(rest));
}

void SlotLog::fill_gaps(States& states, const SlotPart& part) {
  std::size_t at = part.first;
  for (auto next = states.lower_bound(at); at < part.end(); ++next) {
    const std::size_t until = next == states.end() ? part.end() : std::min(next->first, part.end());
    if (until > at) next = states.emplace_hint(next, at, State{until, std::nullopt, {}});
    at = next->second.end;
  }
}

template <class Change>
void SlotLog::touch(const SlotPart& part, const Visit& visit, const Change& change) {
  if (part.n == 0) return;
  States& states = states_[part.slot];
  split(states, part.first);
  split(states, part.end());
  fill_gaps(states, part);
  for (auto i = states.lower_bound(part.first); i != states.end() && i->first < part.end(); ++i) {
    visit({{part.slot, i->first, i->second.end - i->first}, i->second.writer, i->second.readers});
    change(i->second);
  }
}

void SlotLog::read(const SlotPart& part, std::uint32_t operation, const Visit& visit) {
  touch(part, visit, [operation](State& state) { state.readers.insert(operation); });
}

void SlotLog::write(const SlotPart& part, std::uint32_t operation, const Visit& visit) {
  touch(part, visit, [operation](State& state) {
    state.writer = operation;
    state.readers.clear();
  });
}

}  // namespace lipizz::nn
