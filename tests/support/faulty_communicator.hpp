#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace lipizz::comm {

/// The injected faults. None depends on time.
struct Faults {
  /// A message for which this holds is lost; its sender notices nothing.
  std::function<bool(int destination, int tag)> drops = [](int, int) { return false; };
  /// So many looks for a message, and so many tests of a request, find nothing before one counts.
  int delay_polls = 0;
  /// So many further tests of the receive of a message with this tag find it incomplete.
  std::function<int(int tag)> receive_delay_polls = [](int) { return 0; };
  /// This call (counted from 1 over the communicator and those made from it) throws CommError.
  int fail_at_call = std::numeric_limits<int>::max();
  /// Not a fault but a view: called when a test finds a send complete.
  std::function<void()> on_sent = [] {};
  /// Views as well: of a sleep, by its longest duration, and of a wake-up.
  std::function<void(double max_s)> on_wait = [](double) {};
  std::function<void()> on_wake = [] {};
};

/// A communicator with faults over one without. See make_faulty().
class FaultyComm final : public CommImpl {
 public:
  struct State {
    Faults faults;
    int n_calls = 0;
  };

  FaultyComm(Communicator inner, std::shared_ptr<State> state)
      : inner_(std::move(inner)), state_(std::move(state)) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }

  Requested isend(int destination, int tag, Bytes payload, std::string_view what) override {
    return send(destination, tag, what,
                [&] { return inner_.isend(destination, tag, std::move(payload), what); });
  }
  Requested isend_shared(int destination, int tag, SharedBytes payload,
                         std::string_view what) override {
    return send(destination, tag, what,
                [&] { return inner_.isend_shared(destination, tag, std::move(payload), what); });
  }
  std::optional<Incoming> improbe(int source, int tag, std::string_view what) override {
    count_call(what);
    if (n_probes_++ % (state_->faults.delay_polls + 1) != state_->faults.delay_polls) {
      return std::nullopt;
    }
    std::optional<Incoming> incoming = inner_.improbe(source, tag, what);
    if (!incoming) return std::nullopt;
    const int n_polls = state_->faults.receive_delay_polls(incoming->tag);
    return Incoming{incoming->source, incoming->tag, incoming->n_bytes,
                    std::make_unique<SlowIncoming>(std::move(*incoming), n_polls)};
  }
  Requested ibarrier(std::string_view what) override {
    count_call(what);
    return delayed(inner_.ibarrier(what));
  }
  Requested ibroadcast(Bytes bytes, int root, std::string_view what) override {
    count_call(what);
    return delayed(inner_.ibroadcast(std::move(bytes), root, what));
  }
  Requested igather(Bytes mine, int root, std::string_view what) override {
    count_call(what);
    return delayed(inner_.igather(std::move(mine), root, what));
  }
  Requested iallgather(Bytes mine, std::string_view what) override {
    count_call(what);
    return delayed(inner_.iallgather(std::move(mine), what));
  }
  Made duplicate(std::string_view what) override { return wrap(inner_.duplicate(what), what); }
  Made split(int color, int key, std::string_view what) override {
    return wrap(inner_.split(color, key, what), what);
  }
  Made cartesian(int rows, int columns, std::string_view what) override {
    return wrap(inner_.cartesian(rows, columns, what), what);
  }
  int rank_at(int row, int column, std::string_view what) const override {
    return inner_.rank_at(row, column, what);
  }

  void wait_for_activity(double max_s) override {
    state_->faults.on_wait(max_s);
    inner_.wait_for_activity(max_s);
  }
  void wake() override {
    state_->faults.on_wake();
    inner_.wake();
  }
  void abort(int exit_code) override { inner_.abort(exit_code); }

 private:
  class Lost final : public RequestImpl {
   public:
    bool test() override { return true; }
  };

  class Delayed final : public RequestImpl {
   public:
    Delayed(
        Request inner, int n_polls, std::function<void()> on_complete = [] {})
        : inner_(std::move(inner)), n_polls_left_(n_polls), on_complete_(std::move(on_complete)) {}
    bool test() override {
      if (--n_polls_left_ >= 0 || !inner_.test()) return false;
      on_complete_();
      return true;
    }
    std::vector<Bytes> take() override { return inner_.take(); }

   private:
    Request inner_;
    int n_polls_left_;
    std::function<void()> on_complete_;
  };

  class SlowIncoming final : public IncomingImpl {
   public:
    SlowIncoming(Incoming inner, int n_polls) : inner_(std::move(inner)), n_polls_(n_polls) {}
    std::unique_ptr<RequestImpl> receive(std::string_view what) override {
      return std::make_unique<Delayed>(inner_.receive(what), n_polls_);
    }

   private:
    Incoming inner_;
    int n_polls_;
  };

  template <class Begin>
  Requested send(int destination, int tag, std::string_view what, Begin begin) {
    count_call(what);
    if (state_->faults.drops(destination, tag)) return std::make_unique<Lost>();
    return std::make_unique<Delayed>(begin(), state_->faults.delay_polls, state_->faults.on_sent);
  }

  Requested delayed(Request request) {
    return std::make_unique<Delayed>(std::move(request), state_->faults.delay_polls);
  }

  Made wrap(Communicator made, std::string_view what) {
    count_call(what);
    return made ? std::make_unique<FaultyComm>(std::move(made), state_) : nullptr;
  }

  void count_call(std::string_view what) {
    if (++state_->n_calls == state_->faults.fail_at_call) {
      throw CommError(std::string(what) + ": a fault was asked for at call " +
                      std::to_string(state_->n_calls));
    }
  }

  Communicator inner_;
  std::shared_ptr<State> state_;
  int n_probes_ = 0;
};

/// `inner` with faults, for tests of what stands on a communicator.
inline Communicator make_faulty(Communicator inner, Faults faults) {
  auto state = std::make_shared<FaultyComm::State>(FaultyComm::State{std::move(faults)});
  return Communicator(std::make_unique<FaultyComm>(std::move(inner), std::move(state)));
}

}  // namespace lipizz::comm
