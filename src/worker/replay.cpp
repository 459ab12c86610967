#include "worker/replay.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "config/json.hpp"
#include "core/error.hpp"
#include "core/first_error.hpp"
#include "setup/settings.hpp"
#include "worker/mailbox.hpp"
#include "worker/replay_board.hpp"
#include "worker/replay_share.hpp"

namespace lipizz::worker {
namespace {

// The threads' cells at the start, dealt so that every generation is shared out evenly: the cells
// that are needed longest first, in turn.
std::vector<std::vector<CellId>> dealt(const grid::LightCone& cone, std::size_t n_threads) {
  std::map<CellId, Generation> needed_until;
  for (Generation generation = cone.start(); generation <= cone.last(); ++generation) {
    for (const CellId cell : cone.cells(generation)) needed_until[cell] = generation;
  }
  const auto start = cone.cells(cone.start());
  std::vector<CellId> cells(start.begin(), start.end());
  std::ranges::stable_sort(cells, std::ranges::greater{},
                           [&](CellId cell) { return needed_until.at(cell); });
  std::vector<std::vector<CellId>> hands(n_threads);
  for (std::size_t i = 0; i < cells.size(); ++i) hands[i % n_threads].push_back(cells[i]);
  return hands;
}

// The threads of a replay, and what passes between them.
class Threads {
 public:
  Threads(const ReplayTask& task, const telemetry::Log& log,
          const std::function<void(const coev::CellReport&)>& tell, std::uint32_t n_cells,
          std::size_t n_threads)
      : task_(task), log_(log), tell_(tell), mailboxes_(n_threads), board_(n_cells, n_threads) {
    for (std::size_t thread = 0; thread < n_threads; ++thread) members_.push_back(rank_of(thread));
  }

  Replayed run() {
    const auto hands = dealt(task_.cone, mailboxes_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t thread = 0; thread < hands.size(); ++thread) {
        threads.emplace_back([this, thread, &hands] { run_one(thread, hands[thread]); });
      }
    }
    error_.rethrow();
    std::ranges::sort(result_.cells, {}, &ReplayedCell::cell);
    return std::move(result_);
  }

 private:
  // The master of the run plan has none.
  static Rank rank_of(std::size_t thread) { return {static_cast<int>(thread) + 1}; }
  Mailbox& mailbox_of(Rank rank) { return mailboxes_[static_cast<std::size_t>(rank.value) - 1]; }

  void run_one(std::size_t thread, const std::vector<CellId>& cells) {
    try {
      ReplayShare share(task_, cells, surroundings_of(rank_of(thread)));
      const std::vector<ReplayedCell> replayed = share.run();
      add(replayed, share.cpu_s());
    } catch (const coev::Interrupted&) {
      // Another thread has failed.
    } catch (...) {
      fail(std::current_exception());
    }
  }

  ReplayShare::Surroundings surroundings_of(Rank self) {
    Mailbox& own = mailbox_of(self);
    return {.peers = {.self = self,
                      .members = members_,
                      .hosts = task_.run_plan.hosts,
                      .send = [this](Rank to, const auto& what) { mailbox_of(to).post(what); },
                      .wait = [&own](auto kind) { return own.wait_for_resource(kind); },
                      .fail = [this](const std::exception_ptr& error) { fail(error); }},
            .board = board_,
            .log = log_,
            .tell = [this](const coev::CellReport& report) { tell(report); },
            .keep_going = [&own] { return own.keep_going(); }};
  }

  void tell(const coev::CellReport& report) {
    const std::scoped_lock lock(mutex_);
    tell_(report);
  }

  void add(const std::vector<ReplayedCell>& cells, double cpu_s) {
    const std::scoped_lock lock(mutex_);
    std::ranges::copy(cells, std::back_inserter(result_.cells));
    result_.cpu_s += cpu_s;
  }

  void fail(const std::exception_ptr& error) {
    error_.take(error);
    for (Mailbox& mailbox : mailboxes_) mailbox.stop({});
    board_.leave();
  }

  const ReplayTask& task_;
  const telemetry::Log& log_;
  const std::function<void(const coev::CellReport&)>& tell_;
  std::deque<Mailbox> mailboxes_;  // by thread
  std::vector<Rank> members_;
  ReplayBoard board_;
  FirstError error_;
  std::mutex mutex_;
  Replayed result_;
};

}  // namespace

Replayed replay(const ReplayTask& task, const telemetry::Log& log,
                const std::function<void(const coev::CellReport&)>& tell) {
  config::Experiment experiment;
  config::apply_json(task.run_plan.experiment, "the configuration of the run", experiment);
  if (config::is_asynchronous(experiment) || task.run_plan.devices.back() != "cpu") {
    throw InternalError("expected a synchronous run on the processor");
  }
  return Threads(task, log, tell, setup::torus_of(experiment).cells(),
                 task.run_plan.devices.size() - 1)
      .run();
}

}  // namespace lipizz::worker
