#include "comm/communication_thread.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/time_slice.hpp"

namespace lipizz::comm {
namespace {

constexpr double kHurriedPause_s = 0.000'02;
constexpr double kShortestPause_s = 0.001;
constexpr double kLongestPause_s = 0.010;
constexpr double kPauseGrowth = 1.5;

// How long abort() leaves the thread to do it, which a handler that hangs would prevent for ever.
constexpr auto kAbortPatience = std::chrono::seconds(1);

}  // namespace

CommunicationThread::CommunicationThread(std::vector<Channel> channels, const Clock& clock,
                                         std::function<void(std::exception_ptr)> on_failure)
    : clock_(clock), on_failure_(std::move(on_failure)) {
  for (Channel& channel : channels) listeners_.push_back({std::move(channel), {}});
}

CommunicationThread::~CommunicationThread() {
  end();
}

void CommunicationThread::start() {
  thread_ = std::thread([this] { run(); });
}

void CommunicationThread::send(std::size_t channel, int destination, int tag, Bytes payload) {
  post([this, channel, destination, tag, payload = std::move(payload)]() mutable {
    send_now(channel, destination, tag, std::move(payload));
  });
}

void CommunicationThread::send_pair(std::size_t channel, int destination, int head_tag, Bytes head,
                                    int body_tag, SharedBytes body) {
  post([this, channel, destination, head_tag, body_tag, head = std::move(head),
        body = std::move(body)]() mutable {
    send_now(channel, destination, head_tag, std::move(head));
    const Channel& out = listeners_[channel].channel;
    sends_.push_back(
        {channel, destination,
         out.communicator->isend_shared(destination, body_tag, std::move(body), out.what)});
  });
}

void CommunicationThread::send_now(std::size_t channel, int destination, int tag, Bytes payload) {
  const Channel& out = listeners_[channel].channel;
  Bytes message = out.protect(destination, tag, std::move(payload));
  sends_.push_back({channel, destination,
                    out.communicator->isend(destination, tag, std::move(message), out.what)});
}

void CommunicationThread::forget(std::size_t channel, int rank) {
  post([this, channel, rank] {
    std::erase_if(sends_, [&](const Send& send) {
      return send.channel == channel && send.destination == rank;
    });
    std::erase_if(listeners_[channel].arrivals,
                  [&](const Arrival& arrival) { return arrival.source == rank; });
  });
}

void CommunicationThread::hurry(bool is_awaited) {
  n_waiting_ += is_awaited ? 1 : -1;
  if (is_awaited) first().wake();
}

bool CommunicationThread::stop(double flush_timeout_s) {
  end_by(clock_.now_s() + flush_timeout_s);
  return !has_failed_;
}

void CommunicationThread::end() noexcept {
  end_by(-std::numeric_limits<double>::infinity());
}

void CommunicationThread::end_by(double time_s) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    deadline_s_ = time_s;
  }
  first().wake();
  thread_.join();
}

void CommunicationThread::abort(int exit_code) {
  if (!is_this_thread()) {
    auto is_done = std::make_shared<std::promise<void>>();
    const auto future = is_done->get_future();
    post([this, exit_code, is_done = std::move(is_done)] { first().abort(exit_code); });
    future.wait_for(kAbortPatience);
  }
  first().abort(exit_code);
}

void CommunicationThread::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (has_ended_) return;
    posted_.push_back(std::move(task));
  }
  first().wake();
}

void CommunicationThread::run() {
  prefer_short_waits();
  thread_id_ = std::this_thread::get_id();
  std::exception_ptr failure;
  try {
    turn_until_stopped();
  } catch (...) {
    failure = std::current_exception();
  }
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    has_failed_ = failure != nullptr;
    dropped.swap(posted_);
  }
  // Handed over, not shared: the thread sanitizer cannot see the count in an exception_ptr.
  if (failure) on_failure_(std::move(failure));
}

void CommunicationThread::turn_until_stopped() {
  double pause_s = kShortestPause_s;
  while (!must_end()) {
    bool has_moved = run_posted();
    for (Listener& listener : listeners_) {
      has_moved |= accept(listener);
      has_moved |= deliver(listener);
    }
    has_moved |= test_sends();
    const bool is_quiet = !has_moved && !is_in_flight();
    pause_s = is_quiet ? std::min(pause_s * kPauseGrowth, kLongestPause_s) : kShortestPause_s;
    if (!has_moved) first().wait_for_activity(n_waiting_ > 0 ? kHurriedPause_s : pause_s);
  }
}

bool CommunicationThread::run_posted() {
  std::deque<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (auto& task : tasks) task();
  return !tasks.empty();
}

bool CommunicationThread::accept(Listener& listener) {
  const Channel& channel = listener.channel;
  bool has_accepted = false;
  while (auto incoming = channel.communicator->improbe(kAny, kAny, channel.what)) {
    has_accepted = true;
    if (!channel.admit(incoming->source, incoming->tag, incoming->n_bytes)) continue;
    listener.arrivals.push_back({incoming->source, incoming->tag, incoming->receive(channel.what)});
  }
  return has_accepted;
}

// A small message overtakes a large one of the same source on its way into memory; it waits here.
bool CommunicationThread::deliver(Listener& listener) {
  std::vector<int> waiting_sources;
  bool has_delivered = false;
  for (auto arrival = listener.arrivals.begin(); arrival != listener.arrivals.end();) {
    const bool must_wait = std::ranges::count(waiting_sources, arrival->source) != 0;
    if (must_wait || !arrival->request.test()) {
      waiting_sources.push_back(arrival->source);
      ++arrival;
      continue;
    }
    Bytes payload = std::move(arrival->request.take().front());
    listener.channel.deliver(arrival->source, arrival->tag, std::move(payload));
    arrival = listener.arrivals.erase(arrival);
    has_delivered = true;
  }
  return has_delivered;
}

bool CommunicationThread::test_sends() {
  return std::erase_if(sends_, [](Send& send) { return send.request.test(); }) != 0;
}

bool CommunicationThread::is_in_flight() const {
  const auto is_receiving = [](const Listener& listener) { return !listener.arrivals.empty(); };
  return !sends_.empty() || std::ranges::any_of(listeners_, is_receiving);
}

bool CommunicationThread::must_end() {
  const std::lock_guard lock(mutex_);
  if (!deadline_s_) return false;
  return (posted_.empty() && sends_.empty()) || clock_.now_s() >= *deadline_s_;
}

}  // namespace lipizz::comm
