#include "master/save_plan.hpp"

#include <algorithm>
#include <iterator>

namespace lipizz::master {
namespace {

// A chosen generation must still lie ahead of every cell when it arrives there.
constexpr Generation kLead = 2;
// Generations that some cells have saved and the slowest has not reached.
constexpr std::ptrdiff_t kMaxAwaited = 16;

}  // namespace

SavePlan::SavePlan(Limits limits, double now_s)
    : limits_(limits),
      last_save_s_(now_s),
      foremost_(limits.start),
      slowest_(limits.start),
      complete_(limits.start) {}

void SavePlan::reached(Generation generation) {
  foremost_ = std::max(foremost_, generation);
}

std::optional<Generation> SavePlan::saved(CellId cell, Generation generation) {
  auto& cells = saved_[generation];
  cells.insert(cell);
  if (cells.size() < limits_.n_cells || generation <= complete_) return std::nullopt;
  complete_ = generation;
  saved_.erase(saved_.begin(), saved_.upper_bound(generation));
  return generation;
}

void SavePlan::paused(Rank worker, Generation generation) {
  paused_[worker] = generation;
}

void SavePlan::go_back(Generation generation, std::size_t n_workers) {
  limits_.n_workers = n_workers;
  foremost_ = slowest_ = generation;
  saved_.erase(saved_.upper_bound(generation), saved_.end());
  paused_.clear();
  told_ = {};
}

void SavePlan::stop() {
  if (is_stopping_) return;
  is_stopping_ = true;
  stop_from_ = foremost_ + 1;
  const auto awaited = saved_.upper_bound(slowest_);
  if (limits_.is_asynchronous && awaited != saved_.end()) stop_from_ = awaited->first;
  directive_.hold_from = stop_from_;
}

std::optional<comm::Directive> SavePlan::next_directive(double now_s) {
  if (is_stopping_) {
    decide_where_to_hold();
  } else {
    decide_when_to_save(now_s);
  }
  if (directive_ == told_) return std::nullopt;
  told_ = directive_;
  return directive_;
}

void SavePlan::decide_where_to_hold() {
  if (paused_.size() < limits_.n_workers) return;
  const auto by_generation = [](const auto& a, const auto& b) { return a.second < b.second; };
  const Generation foremost = std::ranges::max_element(paused_, by_generation)->second;
  std::erase_if(paused_, [&](const auto& worker) { return worker.second < foremost; });
  // At the very end there is nothing left to stop.
  directive_.hold_from = foremost == limits_.last ? comm::Directive::kNever : foremost;
}

void SavePlan::decide_when_to_save(double now_s) {
  const Generation next = foremost_ + kLead;
  const bool is_due = limits_.every_s > 0 && now_s - last_save_s_ >= limits_.every_s;
  const auto n_awaited = std::distance(saved_.upper_bound(slowest_), saved_.end());
  if (!is_due || next >= limits_.last || n_awaited >= kMaxAwaited) return;
  last_save_s_ = now_s;
  directive_.save_at = next;
}

std::optional<Generation> SavePlan::stopped_at() const {
  const bool can_stop =
      limits_.is_asynchronous ? complete_ >= stop_from_ : all_paused_where_saved();
  const bool is_stopped = is_stopping_ && can_stop && complete_ < limits_.last;
  return is_stopped ? std::optional(complete_) : std::nullopt;
}

bool SavePlan::all_paused_where_saved() const {
  return paused_.size() == limits_.n_workers &&
         std::ranges::all_of(paused_,
                             [this](const auto& worker) { return worker.second == complete_; });
}

}  // namespace lipizz::master
