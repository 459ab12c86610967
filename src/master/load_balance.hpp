#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/speed.hpp"

namespace lipizz::master {

/// Learns from every generation how quickly each worker trains, and says when cells should move off
/// those that are slower than others (docs/adr/0043-cells-move-while-training-goes-on.md). A state
/// machine without threads, messages or clocks.
///
/// Each of its cells takes a worker as long as the median of its last kSeen generations says; one
/// that has trained none is as quick as the median of the others. The first
/// generation after cells have been assigned is left out, in which plans are made and caches are
/// cold. Cells move where that makes the longest generation at most kWorthwhile as long, and where
/// all generations that are left gain kMargin times what a move costs: the generation that is under
/// way, and what the last move took beyond the generation that followed it, kFirstCost_s before
/// there was one.
class LoadBalance {
 public:
  static constexpr std::size_t kSeen = 3;
  static constexpr double kWorthwhile = 0.8;
  static constexpr double kMargin = 2;
  static constexpr double kFirstCost_s = 1;
  /// After so many generations without cells a worker is taken for as quick as the others again;
  /// over as many what a move has cost fades to kFirstCost_s.
  static constexpr Generation kForgotten = 50;

  /// A cell of this worker has trained a generation; its share of the worker's seconds.
  void add(Rank worker, Generation generation, double seconds);

  /// The run's state when every cell has told of a generation.
  struct Situation {
    Generation generation = 0;
    Generation n_left = 0;  // generations that follow
    double now_s = 0;
    std::span<const std::int32_t> rank_of_cell;
    std::vector<Rank> members;    // workers that may host cells
    std::set<Rank> not_to_empty;  // of them
  };
  struct Move {
    std::vector<std::int32_t> rank_of_cell;
    double before_s = 0;  // the longest generation as cells lie, and as they will
    double after_s = 0;
  };
  /// To be called once for each generation; nothing where cells should stay.
  std::optional<Move> after(const Situation& situation);

  /// All cells are assigned anew and go back: what is known of the present generation is void.
  /// `moved_at_s`: because of a Move, whose cost is learnt then.
  void begin_anew(std::optional<double> moved_at_s = std::nullopt);

 private:
  void learn_cost(const Situation& situation);
  void learn_speeds(const Situation& situation);
  [[nodiscard]] std::vector<Speed> speeds_of(const std::vector<Rank>& members) const;

  std::map<Generation, std::map<Rank, double>> seconds_;  // of generations that are not complete
  std::map<Rank, std::deque<double>> per_cell_s_;         // the newest last
  Generation n_complete_ = 0;                             // since cells were assigned
  std::map<Rank, Generation> n_idle_;                     // for so many generations without cells
  double cost_s_ = kFirstCost_s;
  std::optional<double> moved_at_s_;  // whose cost is not known yet
  double expected_s_ = 0;             // a generation after the last move
};

}  // namespace lipizz::master
