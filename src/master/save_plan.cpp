#include "master/save_plan.hpp"

#include <algorithm>
#include <iterator>

namespace lipizz::master {
namespace {

using comm::Directive;

// A chosen generation must still lie ahead of every cell when it arrives there.
constexpr Generation kLead = 2;
// Generations that some cells have saved and the slowest has not reached.
constexpr std::ptrdiff_t kMaxAwaited = 16;
// Shorter generations are not saved each: a file per cell is much to ask of a shared disk.
constexpr double kLongGeneration_s = 0.5;
// Saving by time takes a twentieth of it at the most.
constexpr double kLeastPause_s = 5;
constexpr double kPausePerSave = 20;

}  // namespace

SavePlan::SavePlan(Limits limits, double now_s)
    : limits_(limits),
      last_save_s_(now_s),
      last_completed_s_(now_s),
      foremost_(limits.start),
      slowest_(limits.start),
      complete_(limits.start) {}

void SavePlan::reached(Generation generation) {
  foremost_ = std::max(foremost_, generation);
}

// The mean of this one and those before: cells that are apart come to two ends at nearly one time.
void SavePlan::all_reached(Generation generation, double now_s) {
  slowest_ = generation;
  const double took_s = now_s - last_completed_s_;
  last_completed_s_ = now_s;
  generation_s_ = (generation_s_.value_or(took_s) + took_s) / 2;
}

std::optional<Generation> SavePlan::saved(CellId cell, Generation generation, double seconds) {
  if (generation >= measured_) {
    save_s_ = generation > measured_ ? seconds : std::max(save_s_, seconds);
    measured_ = generation;
  }
  auto& cells = saved_[generation];
  cells.insert(cell);
  if (cells.size() < limits_.n_cells || generation <= complete_) return std::nullopt;
  complete_ = generation;
  saved_.erase(saved_.begin(), saved_.upper_bound(generation));
  return generation;
}

void SavePlan::flushed(Rank worker) {
  if (is_stopping()) flushed_.insert(worker);
}

void SavePlan::go_back(Generation generation, std::size_t n_workers, double now_s) {
  limits_.n_workers = n_workers;
  last_completed_s_ = now_s;
  foremost_ = slowest_ = generation;
  measured_ = std::min(measured_, generation);
  saved_.erase(saved_.upper_bound(generation), saved_.end());
  flushed_.clear();
  told_ = {};
}

std::optional<Directive> SavePlan::next_directive(double now_s) {
  if (!is_stopping()) decide_when_to_save(now_s);
  if (directive_ == told_) return std::nullopt;
  told_ = directive_;
  return directive_;
}

void SavePlan::decide_when_to_save(double now_s) {
  const auto n_awaited = std::distance(saved_.upper_bound(slowest_), saved_.end());
  const bool may_save = limits_.every_s > 0 && n_awaited < kMaxAwaited;
  if (!may_save || !saves_every_generation()) {
    directive_.save_from = Directive::kNever;
  } else if (directive_.save_from == Directive::kNever) {
    directive_.save_from = foremost_ + 1;
  }
  const Generation next = foremost_ + kLead;
  if (!may_save || directive_.save_from != Directive::kNever || !is_due(now_s)) return;
  if (next >= limits_.last) return;  // which is saved anyway
  last_save_s_ = now_s;
  directive_.save_at = next;
}

// The first one is saved to see how long that takes.
bool SavePlan::saves_every_generation() const {
  return !generation_s_ || *generation_s_ >= std::max(save_s_, kLongGeneration_s);
}

bool SavePlan::is_due(double now_s) const {
  const double pause_s = std::max(kLeastPause_s, kPausePerSave * save_s_);
  return now_s - last_save_s_ >= std::min(limits_.every_s, pause_s);
}

std::optional<Generation> SavePlan::stopped_at() const {
  return is_stopping() && flushed_.size() >= limits_.n_workers ? std::optional(complete_)
                                                               : std::nullopt;
}

}  // namespace lipizz::master
