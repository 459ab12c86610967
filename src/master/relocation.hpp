#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "master/assignments.hpp"
#include "master/gathering.hpp"
#include "master/load_balance.hpp"
#include "master/run_log.hpp"
#include "master/saving.hpp"

namespace lipizz::master {

/// Cells move to other workers: off lost ones and off slow ones. All cells go back together.
///
/// The steps after a worker is given up, in this order (docs/adr/0009 says why):
///
///  0. Where it was given up before and has only returned, nothing else depends on it.
///  1. Where the run cannot go on without it, it ends.
///  2. Nothing waits any more for messages to or from it. If it was an idle spare, the others are
///     told so that they keep no copies there, and train on; that is all.
///  3. Its cells move to others. All cells go on from the newer of two generations: the newest of
///     which living workers hold a copy of every cell and the lines of metrics are written, and the
///     newest of which every cell is saved. On a tie the files serve; where there is neither, the
///     seed does.
///  4. The loss is told.
///  5. The master forgets what cells have told of later generations.
///  6. All the living get the new assignment. There, MessageHandler::take() hands copies on, and
///     StateKeeper::resume() begins with a copy, a file or the seed.
///
/// It is over when every active worker has begun the new incarnation; what they tell of the one
/// before is ignored until then (Assignments::has_begun). Where cells move off a slow worker
/// (LoadBalance says which), steps 3 to 6 are the same, but that each goes on from the copy that
/// its worker holds of the newest generation that all have told of. Used by one thread.
class Relocation {
 public:
  /// True where the hosts have the memory for cells that lie so, by cell the rank.
  using Fits = std::function<bool(const std::vector<std::int32_t>&)>;
  struct Messages {
    /// Gives up what is under way to and from a rank.
    std::function<void(Rank)> forget;
    /// Sends the present assignment to everybody who has to know it.
    std::function<void()> assign;
    /// Tells everybody that an idle worker is lost.
    std::function<void(Rank)> tell_of_idle;
  };
  /// The references must outlive it. `run_dir` is for people.
  Relocation(const config::Experiment& experiment, Assignments& assignments, Saving& saving,
             Gathering& gathering, const MetricsLog& metrics, RunLog& log, std::string run_dir,
             const Clock& clock, Fits fits, Messages messages);

  /// PeerLost when the run cannot go on without this worker.
  void give_up(Rank rank, double silent_s);

  /// A cell has told of a generation, for its share of so many seconds of its worker.
  void add(CellId cell, Generation generation, double seconds);
  /// Every cell has told of it, and training goes on: moves cells off slow workers where that pays.
  void balance(Generation completed);

 private:
  void go_back_to(const comm::Assignment& next);
  [[nodiscard]] std::set<Rank> not_to_empty() const;

  const config::Experiment& experiment_;
  Assignments& assignments_;
  Saving& saving_;
  Gathering& gathering_;
  const MetricsLog& metrics_;
  RunLog& log_;
  std::string run_dir_;
  const Clock& clock_;
  Fits fits_;
  Messages messages_;
  LoadBalance balance_;
  std::vector<std::int32_t> too_large_;  // by cell the rank: the newest for which memory was short
};

}  // namespace lipizz::master
