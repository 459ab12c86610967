#pragma once

#include <functional>
#include <map>
#include <vector>

#include "coev/island.hpp"
#include "core/clock.hpp"
#include "telemetry/profile.hpp"
#include "worker/exchange.hpp"
#include "worker/status_board.hpp"

namespace lipizz::worker {

/// The training thread's work from the island's start to the final scores. In every generation:
/// gather the neighbours' publications (asynchronously: those that are there), evolve, publish each
/// cell as soon as it is decided, evaluate.
class TrainingLoop {
 public:
  /// A cell's generation, the seconds for which it waited for its neighbours, and its share of
  /// those that the worker took for all its cells after that.
  struct Evaluated {
    coev::CellReport report;
    double gather_s = 0;
    double work_s = 0;
  };
  struct Hooks {
    /// Every hosted cell has evaluated a generation, and nothing runs: time to tell of it, to save
    /// the cells, and for tasks.
    std::function<void(Generation, const std::vector<Evaluated>&)> after_generation;
    /// Polled between batches; false ends the training.
    std::function<bool()> keep_going;
    /// Told false when the cells begin to evolve, and true when they have. As
    /// CommManager::expect_messages().
    std::function<void(bool)> expect_messages = [](bool) {};
    /// Seconds for which this thread has waited for the other ranks of its cells so far.
    std::function<double()> waited_for_helpers_s = [] { return 0.0; };
  };

  /// The references must outlive it. `generations` >= 1, and not below the island's.
  TrainingLoop(coev::Island& island, Exchange& exchange, StatusBoard& status,
               Generation generations, const Clock& clock, Hooks hooks);

  /// Once. Returns the final report of every hosted cell. Throws coev::Interrupted when
  /// keep_going() says no or the exchange is interrupted.
  std::vector<coev::CellReport> run();

  /// Seconds by routine of a hosted cell so far. `helpers`, waiting for the other ranks of the
  /// cells, and `total` are those of run(), shared out among the hosted cells.
  struct Seconds {
    telemetry::Profile wall;  // gather, helpers, total
    telemetry::Profile cpu;   // of this thread: coev's routines, total
  };
  [[nodiscard]] const Seconds& seconds(CellId cell) const { return seconds_.at(cell); }

 private:
  void evolve(Generation generation);
  double gather(CellId cell, Generation generation);
  void receive(CellId cell, CellId neighbour, Generation generation);
  void publish(CellId cell, Generation generation);
  void add_seconds(const coev::CellReport& report);
  std::vector<coev::CellReport> finish();

  coev::Island& island_;
  Exchange& exchange_;
  StatusBoard& status_;
  Generation generations_;
  const Clock& clock_;
  Hooks hooks_;
  std::map<CellId, Seconds> seconds_;
};

}  // namespace lipizz::worker
