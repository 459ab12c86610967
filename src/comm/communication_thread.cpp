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

constexpr double kShortestPause_s = 0.001;
constexpr double kLongestPause_s = 0.010;
constexpr double kLongestUnexpected_s = 0.040;
constexpr double kPauseGrowth = 1.5;

// A thread that waits looks so many times in a row, which takes about as long as to fall asleep and
// wake up again, and then from time to time.
constexpr int kLooksInARow = 100;
constexpr auto kPauseOfLooks = std::chrono::microseconds(20);

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
  post(
      [this, channel, destination, tag, payload = std::move(payload)]() mutable {
        send_now(channel, destination, tag, std::move(payload));
      },
      listeners_[channel].channel.is_in_step);
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

void CommunicationThread::progress_until(const std::function<bool()>& is_over, double max_s) {
  const double end_s = clock_.now_s() + max_s;
  int n_looks = 0;
  while (!is_over() && clock_.now_s() < end_s) {
    if (make(Turn(turn_mutex_, std::try_to_lock))) {
      n_looks = 0;
    } else if (++n_looks < kLooksInARow) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kPauseOfLooks);
    }
  }
  const Turn turn(turn_mutex_, std::try_to_lock);  // who has it looks after what is under way
  if (turn && is_open_ && must_wake_thread()) first().wake();
}

void CommunicationThread::expect_messages(bool are_expected) {
  if (are_expected_.exchange(are_expected) || !are_expected) return;
  first().wake();
}

bool CommunicationThread::stop(double flush_timeout_s) {
  end_by(clock_.now_s() + flush_timeout_s);
  return !has_failed_.value_or(false);
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
  if (!has_turn()) {
    auto is_done = std::make_shared<std::promise<void>>();
    const auto future = is_done->get_future();
    post([this, exit_code, is_done = std::move(is_done)] { first().abort(exit_code); });
    future.wait_for(kAbortPatience);
  }
  first().abort(exit_code);
}

void CommunicationThread::post(std::function<void()> task, bool is_in_step) {
  {
    const std::lock_guard lock(mutex_);
    if (has_failed_) return;
    posted_.push_back(std::move(task));
  }
  if (!is_in_step || !try_to_send_posted()) first().wake();
}

// False where the thread has to do it, or to see to what is under way. Handlers are not called: the
// caller may have locked what they lock.
bool CommunicationThread::try_to_send_posted() {
  if (has_turn()) return false;
  const Turn turn(turn_mutex_, std::try_to_lock);
  if (!turn || !is_open_) return false;
  in_turn([this] {
    const bool has_moved = run_posted();
    return test_sends() || has_moved;
  });
  return is_open_ && !must_wake_thread();
}

void CommunicationThread::run() {
  prefer_short_waits();
  {
    const Turn turn(turn_mutex_);
    is_open_ = true;
  }
  turn_until_stopped();
  std::exception_ptr failure;
  {
    const Turn turn(turn_mutex_);
    is_open_ = false;
    failure = std::exchange(failure_, nullptr);
  }
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(mutex_);
    has_failed_ = failure != nullptr;
    dropped.swap(posted_);
  }
  // Handed over, not shared: the thread sanitizer cannot see the count in an exception_ptr.
  if (failure) on_failure_(std::move(failure));
}

void CommunicationThread::turn_until_stopped() {
  double pause_s = kShortestPause_s;
  while (!must_end()) {
    const bool has_moved = make(Turn(turn_mutex_));
    {
      const Turn turn(turn_mutex_);
      if (!is_open_) return;
      thread_sleeps_long_ = !has_moved && !is_in_flight();
      const double longest_s = are_expected_ ? kLongestPause_s : kLongestUnexpected_s;
      pause_s =
          thread_sleeps_long_ ? std::min(pause_s * kPauseGrowth, longest_s) : kShortestPause_s;
    }
    if (!has_moved) first().wait_for_activity(pause_s);
  }
}

// True where something has moved.
bool CommunicationThread::make(Turn turn) {
  if (!turn || !is_open_) return false;
  return in_turn([this] {
    bool has_moved = run_posted();
    for (Listener& listener : listeners_) {
      has_moved |= accept(listener);
      has_moved |= deliver(listener);
    }
    return test_sends() || has_moved;
  });
}

// Within a turn. Errors are for the thread to report, whosever turn it is.
template <class Calls>
bool CommunicationThread::in_turn(const Calls& calls) {
  turning_ = std::this_thread::get_id();
  bool has_moved = false;
  try {
    has_moved = calls();
  } catch (...) {
    failure_ = std::current_exception();
    is_open_ = false;
    first().wake();
  }
  turning_ = std::thread::id();
  return has_moved;
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
  const std::scoped_lock lock(turn_mutex_, mutex_);
  if (!deadline_s_) return false;
  return (posted_.empty() && sends_.empty()) || clock_.now_s() >= *deadline_s_;
}

}  // namespace lipizz::comm
