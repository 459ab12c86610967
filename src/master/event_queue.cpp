#include "master/event_queue.hpp"

#include <utility>

namespace lipizz::master {

void EventQueue::post(Event event) {
  const std::scoped_lock lock(mutex_);
  events_.push_back(std::move(event));
  posted_.notify_one();
}

Event EventQueue::take() {
  std::unique_lock lock(mutex_);
  posted_.wait(lock, [this] { return !events_.empty(); });
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

}  // namespace lipizz::master
