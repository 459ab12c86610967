#include "worker/mailbox.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lipizz::worker {

void Mailbox::assign(comm::Assignment assignment) {
  const std::scoped_lock lock(mutex_);
  settled_ = std::min(settled_, assignment.start);
  assignment_ = std::move(assignment);
  directive_ = {};
  to_save_.clear();
  lost_.clear();
  tasks_.clear();
  cell_samples_.clear();
  changed_.notify_all();
}

void Mailbox::post(comm::SharedResource resource) {
  const std::scoped_lock lock(mutex_);
  resources_.insert_or_assign(resource.kind, std::move(resource.bytes));
  changed_.notify_all();
}

void Mailbox::post(comm::Task task) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(task);
  changed_.notify_all();
}

void Mailbox::post(comm::CellSamples samples) {
  const std::scoped_lock lock(mutex_);
  cell_samples_.insert_or_assign(samples.cell, std::move(samples));
  changed_.notify_all();
}

void Mailbox::stop(comm::Stop stop) {
  const std::scoped_lock lock(mutex_);
  if (!stop_) stop_ = stop;
  changed_.notify_all();
}

void Mailbox::fail(std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

bool Mailbox::keep_going() const {
  const std::scoped_lock lock(mutex_);
  return !is_over() && !failure_;
}

void Mailbox::set(comm::Directive directive) {
  const std::scoped_lock lock(mutex_);
  directive_ = directive;
  to_save_.insert(directive.save_at);
  changed_.notify_all();
}

void Mailbox::settle(Generation told) {
  const std::scoped_lock lock(mutex_);
  settled_ = told;
}

Generation Mailbox::settled() const {
  const std::scoped_lock lock(mutex_);
  return settled_;
}

void Mailbox::lose(Rank rank) {
  const std::scoped_lock lock(mutex_);
  lost_.push_back(rank.value);
}

std::vector<std::int32_t> Mailbox::lost() const {
  const std::scoped_lock lock(mutex_);
  return lost_;
}

bool Mailbox::must_save(Generation generation) const {
  const std::scoped_lock lock(mutex_);
  return generation >= directive_.save_from || to_save_.contains(generation);
}

// A stop wins over a failure: peers that have left after the stop are no news.
template <class Condition>
std::unique_lock<std::mutex> Mailbox::wait_until(Condition condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return condition() || stop_ || failure_; });
  if (failure_ && !stop_) std::rethrow_exception(failure_);
  return lock;
}

std::optional<comm::Assignment> Mailbox::wait_for_assignment() {
  const auto lock = wait_until([this] { return assignment_.has_value(); });
  return stop_ ? std::nullopt : std::exchange(assignment_, std::nullopt);
}

std::optional<Bytes> Mailbox::wait_for_resource(comm::SharedResource::Kind kind) {
  const auto lock = wait_until([&] { return is_over() || resources_.contains(kind); });
  if (is_over()) return std::nullopt;
  return resources_.at(kind);
}

std::optional<comm::Task> Mailbox::poll_task(Generation done) {
  const std::scoped_lock lock(mutex_);
  return is_over() ? std::nullopt : take_task(done);
}

std::optional<comm::Task> Mailbox::wait_for_task() {
  const auto lock = wait_until([this] { return is_over() || !tasks_.empty(); });
  return is_over() ? std::nullopt : take_task(std::numeric_limits<Generation>::max());
}

std::optional<comm::Task> Mailbox::take_task(Generation done) {
  const auto found =
      std::ranges::find_if(tasks_, [&](const comm::Task& task) { return task.generation <= done; });
  if (found == tasks_.end()) return std::nullopt;
  const comm::Task task = *found;
  tasks_.erase(found);
  return task;
}

std::vector<comm::CellSamples> Mailbox::wait_for_samples(std::size_t n_cells) {
  const auto lock = wait_until([&] { return is_over() || cell_samples_.size() >= n_cells; });
  std::vector<comm::CellSamples> all;
  for (auto& [cell, samples] : std::exchange(cell_samples_, {})) all.push_back(std::move(samples));
  return all;
}

comm::Stop Mailbox::wait_for_stop() {
  const auto lock = wait_until([] { return false; });
  return *stop_;
}

}  // namespace lipizz::worker
