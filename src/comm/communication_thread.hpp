#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace lipizz::comm {

/// Makes every call of the message layer while a run goes on, in turns: it starts what has been
/// posted, receives what arrives, and completes both. Turns are those of a thread of its own, which
/// sleeps in between, a millisecond while something is under way, up to ten when all is quiet and
/// up to forty when no messages are expected either; and those of threads that have nothing else to
/// do than to wait for a message.
class CommunicationThread {
 public:
  /// A communicator that it listens on. The communicator must outlive the thread.
  struct Channel {
    Communicator* communicator;
    std::string_view what;  // for errors
    /// Messages are sent by who posts them, where nobody else has a turn: for ranks in step.
    bool is_in_step = false;
    // These are called by one thread at a time, be it one that posts (protect) or waits.
    /// Called with each message on its way out, in the order in which they leave; what it returns
    /// travels.
    std::function<Bytes(int destination, int tag, Bytes payload)> protect;
    /// Called before a message is received; what it refuses is dropped, and nothing allocated.
    std::function<bool(int source, int tag, std::size_t n_bytes)> admit;
    /// Called with each message; those of one source in the order in which they were sent.
    std::function<void(int source, int tag, Bytes payload)> deliver;
  };

  /// At least one channel. `on_failure` gets, once and on the thread, what the message layer or a
  /// handler threw; then the thread ends.
  CommunicationThread(std::vector<Channel> channels, const Clock& clock,
                      std::function<void(std::exception_ptr)> on_failure);
  /// As end().
  ~CommunicationThread();
  CommunicationThread(const CommunicationThread&) = delete;
  CommunicationThread& operator=(const CommunicationThread&) = delete;

  /// Begins to listen; before, posts only queue. Once.
  void start();

  /// Any thread. Sends on a channel, in the order of the calls; dropped once the thread has ended.
  void send(std::size_t channel, int destination, int tag, Bytes payload);
  /// Any thread. Sends two messages that no other to this rank comes between; the second one, which
  /// others may share, as it is.
  void send_pair(std::size_t channel, int destination, int head_tag, Bytes head, int body_tag,
                 SharedBytes body);

  /// Any thread. As CommManager::progress_until().
  void progress_until(const std::function<bool()>& is_over, double max_s);

  /// Any thread. As CommManager::expect_messages().
  void expect_messages(bool are_expected);

  /// Any thread. Gives up what is under way to and from a rank that takes and sends nothing any
  /// more. A later send to it is tried like any other.
  void forget(std::size_t channel, int rank);

  /// Ends the thread when everything that was posted before is complete, or at the latest after
  /// `flush_timeout_s` by the clock. No effect where it does not run. False where it had failed, so
  /// that what was posted is lost.
  bool stop(double flush_timeout_s);
  /// Ends the thread without waiting for anything. No effect where it does not run.
  void end() noexcept;

  /// Any thread. Ends the job by the first channel's communicator.
  [[noreturn]] void abort(int exit_code);

 private:
  struct Arrival {
    int source;
    int tag;
    Request request;
  };
  struct Listener {
    Channel channel;
    std::list<Arrival> arrivals;
  };
  struct Send {
    std::size_t channel;
    int destination;
    Request request;
  };

  void end_by(double time_s);
  void post(std::function<void()> task, bool is_in_step = false);
  void send_now(std::size_t channel, int destination, int tag, Bytes payload);
  void run();
  void turn_until_stopped();
  [[nodiscard]] bool try_to_send_posted();
  using Turn = std::unique_lock<std::mutex>;  // of turn_mutex_; one that is not had does nothing
  bool make(Turn turn);
  template <class Calls>
  bool in_turn(const Calls& calls);
  bool run_posted();
  bool accept(Listener& listener);
  static bool deliver(Listener& listener);
  bool test_sends();
  [[nodiscard]] bool has_turn() const { return std::this_thread::get_id() == turning_; }
  [[nodiscard]] bool is_in_flight() const;
  [[nodiscard]] bool must_wake_thread() const { return thread_sleeps_long_ && is_in_flight(); }
  [[nodiscard]] bool must_end();
  Communicator& first() { return *listeners_.front().channel.communicator; }

  const Clock& clock_;
  const std::function<void(std::exception_ptr)> on_failure_;

  std::mutex turn_mutex_;            // of who has a turn; mutex_ may be locked within
  std::vector<Listener> listeners_;  // under turn_mutex_, like what follows
  std::vector<Send> sends_;
  bool is_open_ = false;             // from start() until the end, or a failure
  bool thread_sleeps_long_ = false;  // since all was quiet at its last turn
  std::exception_ptr failure_;
  std::atomic<bool> are_expected_ = true;
  std::atomic<std::thread::id> turning_;  // no thread's where nobody has a turn

  std::mutex mutex_;
  std::deque<std::function<void()>> posted_;  // under mutex_, like what follows
  std::optional<double> deadline_s_;          // set by stop()
  std::optional<bool> has_failed_;            // once it has ended

  std::thread thread_;
};

}  // namespace lipizz::comm
