#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coev/cell.hpp"
#include "coev/fitness.hpp"
#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "coev/subpopulation.hpp"
#include "coev/training.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// One generation of a group of cells: fitness, selection, mutation, training, replacement.
///
/// Does only what the settings need: without tournament and with generational replacement nobody's
/// fitness matters before training, and afterwards a small sample tells how the centre does.
class Evolution {
 public:
  /// n_cells: of a group. The references must outlive it.
  Evolution(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
            std::uint32_t n_cells);

  /// A cell and what it holds of its neighbourhood, itself first. The other pairs stay as they are
  /// until run() has returned.
  struct Turn {
    Cell* cell;
    Subpopulation subpopulation;
  };

  /// Leaves each cell with its new centre and fills its report and profile. `on_decided` is called
  /// for each cell, in order, when its centre is final. NumericError when a cell has nothing finite
  /// left. Throws Interrupted when `keep_going` says no; no cell has changed then.
  void run(std::span<const Turn> group, Generation generation,
           const std::function<void(CellId)>& on_decided, const std::function<bool()>& keep_going);

 private:
  using MemberFitness = PerRole<std::vector<double>>;  // of each member, centre first
  struct Offspring {
    Pair pair;
    std::optional<MemberFitness> before;  // training; absent where nobody needs it
    PerRole<double> fitness;
  };

  void begin(const Turn& turn, Offspring& offspring, Generation generation);
  void train(std::span<const Turn> group, Generation generation,
             const std::function<bool()>& keep_going);
  void end(const Turn& turn, Offspring& offspring, Generation generation);

  MemberFitness judge_members(const Turn& turn, Generation generation);
  void judge_offspring(const Turn& turn, Offspring& offspring, Generation generation);
  void select(const Turn& turn, Offspring& offspring, Generation generation) const;
  void mutate(CellId cell, Pair& offspring, Generation generation) const;
  void replace(const Turn& turn, Offspring& offspring) const;

  const Settings& settings_;
  FitnessEvaluator evaluator_;
  Trainer trainer_;
  std::vector<Offspring> offspring_;  // per cell of the group
};

}  // namespace lipizz::coev
