#include "worker/mailbox.hpp"

#include <utility>

namespace lipizz::worker {

void Mailbox::start() {
  const std::scoped_lock lock(mutex_);
  started_ = true;
  changed_.notify_all();
}

void Mailbox::post(comm::Task task) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(task);
  changed_.notify_all();
}

void Mailbox::post(comm::Tiles tiles) {
  const std::scoped_lock lock(mutex_);
  tiles_.push_back(std::move(tiles));
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
  return !stop_ && !failure_;
}

void Mailbox::set(comm::Course course) {
  const std::scoped_lock lock(mutex_);
  course_ = course;
  changed_.notify_all();
}

comm::Course Mailbox::course() const {
  const std::scoped_lock lock(mutex_);
  return course_;
}

bool Mailbox::must_hold(Generation generation) const {
  return generation >= course().hold_from;
}

// A stop wins over a failure: peers that have left after the stop are no news.
template <class Condition>
std::unique_lock<std::mutex> Mailbox::wait_until(Condition condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return condition() || stop_ || failure_; });
  if (failure_ && !stop_) std::rethrow_exception(failure_);
  return lock;
}

bool Mailbox::wait_while_held(Generation generation) {
  const auto lock = wait_until([&] { return generation < course_.hold_from; });
  return !stop_;
}

bool Mailbox::wait_for_start() {
  const auto lock = wait_until([this] { return started_; });
  return started_;
}

std::optional<comm::Task> Mailbox::poll_task() {
  const std::scoped_lock lock(mutex_);
  return take_task();
}

std::optional<comm::Task> Mailbox::wait_for_task() {
  const auto lock = wait_until([this] { return !tasks_.empty(); });
  return stop_ ? std::nullopt : take_task();
}

std::optional<comm::Task> Mailbox::take_task() {
  if (tasks_.empty()) return std::nullopt;
  const comm::Task task = tasks_.front();
  tasks_.pop_front();
  return task;
}

std::vector<comm::Tiles> Mailbox::wait_for_tiles(std::size_t n_cells) {
  const auto lock = wait_until([&] { return tiles_.size() >= n_cells; });
  return std::exchange(tiles_, {});
}

comm::Stop Mailbox::wait_for_stop() {
  const auto lock = wait_until([] { return false; });
  return *stop_;
}

}  // namespace lipizz::worker
