#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "comm/messages.hpp"
#include "core/clock.hpp"
#include "core/ids.hpp"
#include "grid/torus.hpp"
#include "master/metrics_log.hpp"

namespace lipizz::master {

/// The cell and generation with the lowest score while training; the first among equals.
struct BestGeneration {
  Generation generation = 0;
  CellId cell;
  double score = 0;
  Rank keeper = kMaster;  // the worker that trained it; the master where nobody knows
  bool operator==(const BestGeneration& other) const {
    return generation == other.generation && cell == other.cell;
  }
};

/// Follows the best generation of a run, and when its mixture is to be written into the run's
/// folder mixture-best/: as it is found, but for a fiftieth of the time at the most, and at the
/// end. A state machine without threads, messages or files.
class BestMixture {
 public:
  /// `known`: of the generations that the run goes on behind; `written`: what mixture-best/ holds.
  /// The clock must outlive it.
  BestMixture(std::optional<BestGeneration> known, std::optional<BestGeneration> written,
              const Clock& clock)
      : best_(known), written_(written), clock_(clock) {}

  /// All cells have evaluated a generation, its best one on the rank `host`; to be called in order.
  void add(const MetricsLog::Completed& completed, Rank host);

  /// The one to write now, once; `must`: there is no later.
  std::optional<BestGeneration> next_to_write(bool must);
  /// The mixture that was asked for is written, or nobody has it any more.
  void add(const comm::TaskDone& done);
  /// Cells are assigned anew, and what was asked for is forgotten. `host`: where the cell of the
  /// best generation is trained from now on.
  void go_back(Generation start, Rank host);

  /// Nothing where no cell ever had a score.
  [[nodiscard]] const std::optional<BestGeneration>& best() const { return best_; }
  [[nodiscard]] bool is_written() const { return best_ && best_ == written_; }
  /// True when nothing is asked for and nothing left to ask for.
  [[nodiscard]] bool is_settled() const {
    return !asked_ && (!best_ || best_ == last_told_ || is_written());
  }
  /// How many generations have passed without a better one at the end of this one.
  [[nodiscard]] Generation generations_since(Generation generation) const {
    return best_ ? generation - best_->generation : 0;
  }

 private:
  std::optional<BestGeneration> best_;
  std::optional<BestGeneration> written_;
  std::optional<BestGeneration> asked_;
  std::optional<BestGeneration> last_told_;  // of which a worker has told, written or not
  const Clock& clock_;
  double not_before_s_ = 0;
};

/// The best of the first generations of a metrics.jsonl; damaged lines are passed over.
std::optional<BestGeneration> best_of_lines(const std::filesystem::path& metrics,
                                            const grid::Torus& torus, Generation generations);

/// The generation that the run's mixture-best/ holds; nothing where it is not there, or is none of
/// ours.
std::optional<BestGeneration> written_best(const std::filesystem::path& run,
                                           const grid::Torus& torus);

}  // namespace lipizz::master
