#pragma once

#include <functional>
#include <string>

#include "master/assignments.hpp"
#include "master/gathering.hpp"
#include "master/run_log.hpp"
#include "master/saving.hpp"

namespace lipizz::master {

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
/// before is ignored until then (Assignments::has_begun). Used by one thread.
class Recovery {
 public:
  /// Gives up what is under way to and from a rank.
  using Forget = std::function<void(Rank)>;
  /// Sends the present assignment to everybody who has to know it.
  using Assign = std::function<void()>;
  /// Tells everybody that an idle worker is lost.
  using TellOfIdle = std::function<void(Rank)>;
  /// The references must outlive it. `run_dir` is for people.
  Recovery(Assignments& assignments, Saving& saving, Gathering& gathering,
           const MetricsLog& metrics, RunLog& log, std::string run_dir, Forget forget,
           Assign assign, TellOfIdle tell_of_idle);

  /// PeerLost when the run cannot go on without this worker.
  void give_up(Rank rank, double silent_s);

 private:
  Assignments& assignments_;
  Saving& saving_;
  Gathering& gathering_;
  const MetricsLog& metrics_;
  RunLog& log_;
  std::string run_dir_;
  Forget forget_;
  Assign assign_;
  TellOfIdle tell_of_idle_;
};

}  // namespace lipizz::master
