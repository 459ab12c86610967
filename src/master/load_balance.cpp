#include "master/load_balance.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "grid/placement.hpp"

namespace lipizz::master {
namespace {

// The lower one of an even number.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::vector<std::size_t> places_of(std::span<const std::int32_t> rank_of_cell,
                                   const std::vector<Rank>& members) {
  std::vector<std::size_t> places;
  for (const std::int32_t rank : rank_of_cell) {
    const auto found = std::ranges::find(members, Rank{rank});
    places.push_back(static_cast<std::size_t>(found - members.begin()));
  }
  return places;
}

}  // namespace

void LoadBalance::add(Rank worker, Generation generation, double seconds) {
  seconds_[generation][worker] += seconds;
}

void LoadBalance::begin_anew(std::optional<double> moved_at_s) {
  seconds_.clear();
  n_complete_ = 0;
  moved_at_s_ = moved_at_s;
}

std::optional<LoadBalance::Move> LoadBalance::after(const Situation& situation) {
  learn_cost(situation);
  learn_speeds(situation);
  if (n_complete_ <= kSeen) return std::nullopt;
  const std::vector<Speed> speeds = speeds_of(situation.members);
  std::vector<bool> may_be_empty;
  for (const Rank member : situation.members) {
    may_be_empty.push_back(!situation.not_to_empty.contains(member));
  }
  const auto places = places_of(situation.rank_of_cell, situation.members);
  const auto balanced = grid::balance(places, speeds, may_be_empty);
  Move move{.rank_of_cell = {},
            .before_s = grid::longest_generation(places, speeds),
            .after_s = grid::longest_generation(balanced, speeds)};
  const double gain_s = (move.before_s - move.after_s) * situation.n_left;
  const bool pays = gain_s > kMargin * (move.before_s + cost_s_);
  if (move.after_s > kWorthwhile * move.before_s || !pays) return std::nullopt;
  for (const std::size_t place : balanced) {
    move.rank_of_cell.push_back(situation.members[place].value);
  }
  expected_s_ = move.after_s;
  return move;
}

void LoadBalance::learn_cost(const Situation& situation) {
  cost_s_ += (kFirstCost_s - cost_s_) / kForgotten;
  if (!moved_at_s_) return;
  cost_s_ = std::max(0.0, situation.now_s - *moved_at_s_ - expected_s_);
  moved_at_s_.reset();
}

void LoadBalance::learn_speeds(const Situation& situation) {
  if (n_complete_++ > 0) {
    for (const auto& [worker, seconds] : seconds_[situation.generation]) {
      const auto n_cells = std::ranges::count(situation.rank_of_cell, worker.value);
      std::deque<double>& per_cell_s = per_cell_s_[worker];
      per_cell_s.push_back(seconds / static_cast<double>(n_cells));
      if (per_cell_s.size() > kSeen) per_cell_s.pop_front();
    }
  }
  for (const Rank member : situation.members) {
    const bool trains = std::ranges::count(situation.rank_of_cell, member.value) > 0;
    n_idle_[member] = trains ? 0 : n_idle_[member] + 1;
    if (n_idle_[member] >= kForgotten) per_cell_s_.erase(member);
  }
  seconds_.erase(seconds_.begin(), seconds_.upper_bound(situation.generation));
}

std::vector<Speed> LoadBalance::speeds_of(const std::vector<Rank>& members) const {
  std::map<Rank, double> known;
  for (const auto& [worker, last] : per_cell_s_) known[worker] = median({last.begin(), last.end()});
  const auto values = std::views::values(known);
  const double usual = median({values.begin(), values.end()});
  std::vector<Speed> speeds;
  for (const Rank member : members) {
    const auto found = known.find(member);
    speeds.push_back({.fixed_s = 0, .per_cell_s = found == known.end() ? usual : found->second});
  }
  return speeds;
}

}  // namespace lipizz::master
