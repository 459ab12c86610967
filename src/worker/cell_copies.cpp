#include "worker/cell_copies.hpp"

#include <algorithm>

namespace lipizz::worker {

bool CellCopies::keep(std::uint32_t incarnation, HeldState copy) {
  const std::scoped_lock lock(mutex_);
  return add(incarnation, std::move(copy));
}

void CellCopies::hold(std::uint32_t incarnation, const std::vector<HeldState>& cells,
                      std::size_t max_generations, const std::function<void()>& tell) {
  const std::scoped_lock lock(mutex_);
  tell();
  for (const HeldState& cell : cells) {
    if (n_generations_of(cell.cell) < max_generations) add(incarnation, cell);
  }
}

CellCopies::Own CellCopies::own() const {
  const std::scoped_lock lock(mutex_);
  Own own{.incarnation = incarnation_, .cells = {}};
  for (const auto& [name, kept] : kept_) {
    const auto& [generation, cell] = name;
    if (is_own(cell)) own.cells.push_back({cell, generation, kept.snapshot});
  }
  return own;
}

bool CellCopies::is_own(CellId cell) const {
  return std::ranges::find(own_, cell) != own_.end();
}

std::size_t CellCopies::n_generations_of(CellId cell) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(kept_, [&](const auto& entry) { return entry.first.second == cell; }));
}

bool CellCopies::add(std::uint32_t incarnation, HeldState copy) {
  const auto present = kept_.find({copy.generation, copy.cell});
  const bool is_newer_there = present != kept_.end() && present->second.incarnation > incarnation;
  if (incarnation < incarnation_ || is_newer_there) return false;
  kept_.insert_or_assign({copy.generation, copy.cell}, Kept{incarnation, std::move(copy.snapshot)});
  changed_.notify_all();
  return true;
}

void CellCopies::begin(std::uint32_t incarnation, Generation start, std::vector<CellId> own) {
  const std::scoped_lock lock(mutex_);
  incarnation_ = incarnation;
  own_ = std::move(own);
  std::erase_if(kept_, [&](const auto& entry) {
    return entry.first.first > start && entry.second.incarnation < incarnation;
  });
}

void CellCopies::drop_before(Generation generation) {
  const std::scoped_lock lock(mutex_);
  kept_.erase(kept_.begin(), kept_.lower_bound({generation, CellId{0}}));
}

std::shared_ptr<const CellSnapshot> CellCopies::find(CellId cell, Generation generation) const {
  const std::scoped_lock lock(mutex_);
  return look_up(cell, generation);
}

std::shared_ptr<const CellSnapshot> CellCopies::wait_for(CellId cell, Generation generation,
                                                         const std::function<bool()>& gives_up) {
  std::unique_lock lock(mutex_);
  std::shared_ptr<const CellSnapshot> found;
  changed_.wait(lock, [&] {
    found = look_up(cell, generation);
    return found || gives_up();
  });
  return found;
}

void CellCopies::reconsider() {
  const std::scoped_lock lock(mutex_);
  changed_.notify_all();
}

std::shared_ptr<const CellSnapshot> CellCopies::look_up(CellId cell, Generation generation) const {
  const auto found = kept_.find({generation, cell});
  return found == kept_.end() ? nullptr : found->second.snapshot;
}

CellCopies::Taken CellCopies::bytes(const coev::PairBytes& pair, std::size_t n_hosted,
                                    bool has_other_workers, std::size_t n_buddies) {
  const std::size_t n_own = has_other_workers ? n_hosted : 0;
  return {n_own * pair.in_memory() + 2 * n_hosted * n_buddies * pair.state, n_own * pair.offloaded};
}

}  // namespace lipizz::worker
