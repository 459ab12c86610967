#include "core/stop_request.hpp"

#include <utility>

namespace lipizz {

void StopRequest::ask(std::string reason) {
  const std::scoped_lock lock(mutex_);
  if (!reason_.empty()) return;
  reason_ = std::move(reason);
  for (const Listener& listener : listeners_) listener();
}

std::string StopRequest::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

StopRequest::Subscription::Subscription(StopRequest& request, Listener listener)
    : request_(request) {
  const std::scoped_lock lock(request_.mutex_);
  place_ = request_.listeners_.insert(request_.listeners_.end(), std::move(listener));
  if (!request_.reason_.empty()) (*place_)();
}

StopRequest::Subscription::~Subscription() {
  const std::scoped_lock lock(request_.mutex_);
  request_.listeners_.erase(place_);
}

}  // namespace lipizz
