#include "master/copy_ledger.hpp"

#include <algorithm>
#include <ranges>

namespace lipizz::master {

void CopyLedger::add(CellId cell, Generation generation, Rank holder) {
  Holders& holders = holders_.try_emplace(generation, n_cells_).first->second;
  holders.at(cell.value).insert(holder);
}

void CopyLedger::lose(Rank rank) {
  for (auto& [generation, holders] : holders_) {
    for (std::set<Rank>& of_cell : holders) of_cell.erase(rank);
  }
}

void CopyLedger::go_back(Generation generation) {
  holders_.erase(holders_.upper_bound(generation), holders_.end());
}

void CopyLedger::drop_before(Generation generation) {
  holders_.erase(holders_.begin(), holders_.lower_bound(generation));
}

std::optional<Generation> CopyLedger::newest_whole(std::size_t n_copies, Generation last) const {
  const auto is_enough = [&](const std::set<Rank>& of_cell) { return of_cell.size() >= n_copies; };
  for (const auto& [generation, holders] : std::views::reverse(holders_)) {
    if (generation <= last && std::ranges::all_of(holders, is_enough)) return generation;
  }
  return std::nullopt;
}

Rank CopyLedger::holder(CellId cell, Generation generation, Rank preferred) const {
  const std::set<Rank>& holders = holders_.at(generation).at(cell.value);
  return holders.contains(preferred) ? preferred : *holders.begin();
}

}  // namespace lipizz::master
