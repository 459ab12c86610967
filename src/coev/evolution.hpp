#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coev/cell.hpp"
#include "coev/fitness_evaluator.hpp"
#include "coev/genome.hpp"
#include "coev/sample_diversity.hpp"
#include "coev/score_fitness.hpp"
#include "coev/settings.hpp"
#include "coev/subpopulation.hpp"
#include "coev/trainer.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// A cell to be evolved, and what it holds of its neighbourhood, itself first.
struct EvolutionJob {
  Cell* cell;
  Subpopulation subpopulation;  // the neighbours' pairs stay as they are until run() has returned
};

/// One generation of a group of cells: fitness, selection, recombination, mutation, training and
/// replacement (Schmiedlechner et al. 2018; docs/algorithm.md lists every departure).
///
/// Among several offspring of a cell the one with the fittest generator goes on to the replacement,
/// as a pair; each has random numbers of its own (E-GAN, Wang et al. 2019;
/// coev/loss_mutation/each.hpp).
///
/// Where several ranks compute together (Device::collectives), this is the first one's work: it has
/// the others train with it (coev/shared_training.hpp).
///
/// Members are evaluated before training only where selection, in this generation, or replacement
/// asks for their fitness. Offspring are evaluated in every generation, since reports tell how they
/// do: on a small sample where nothing compares their losses.
class Evolution {
 public:
  /// n_cells: of a group. The references must outlive it.
  Evolution(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
            metrics::Scorer& scorer, std::uint32_t n_cells);

  /// Leaves each cell with its new centre and fills its report and profile. `on_decided` is called
  /// for each cell, in order, when its centre is final. NumericError when a cell has nothing finite
  /// left. Throws Interrupted when `keep_going` returns false; no cell has changed then.
  void run(std::span<const EvolutionJob> group, Generation generation,
           const std::function<void(CellId)>& on_decided, const std::function<bool()>& keep_going);

 private:
  struct MemberFitness : PerRole<std::vector<double>> {  // one for each member, centre first
    std::vector<Behaviour> behaviours{};                 // empty where selection asks for none
  };
  struct Offspring {
    Pair pair;
    PerRole<double> fitness;      // NaN where it is not finite
    PerRole<LeftOut> left_out{};  // updates, in training
    [[nodiscard]] bool is_usable() const;
  };
  // The offspring of one cell in a generation.
  struct Brood {
    std::optional<MemberFitness> before;  // before training; absent where no operator needs it
    Offspring best;                       // of those that have been trained
    Offspring next;                       // in training, after the first
  };

  void begin(const EvolutionJob& job, Brood& brood, Generation generation);
  void breed(std::span<const EvolutionJob> group, Generation generation, std::uint32_t number,
             const std::function<bool()>& keep_going);
  void train(std::span<const EvolutionJob> group, Generation generation, std::uint32_t number,
             const std::function<bool()>& keep_going);
  void end(const EvolutionJob& job, Brood& brood, Generation generation);
  static Offspring& in_training(Brood& brood, std::uint32_t number);

  MemberFitness evaluate_members(const EvolutionJob& job, Generation generation);
  MemberFitness scores_of_members(const EvolutionJob& job, Generation generation);
  void evaluate_offspring(const EvolutionJob& job, Offspring& offspring, Generation generation);
  double diversity_of(std::span<const float> generator, Generation generation);
  PerRole<double> losses_of_offspring(const EvolutionJob& job, const Pair& offspring,
                                      const PerRole<bool>& are_finite, Generation generation);
  void select(const EvolutionJob& job, Brood& brood, Generation generation,
              std::uint32_t number) const;
  void mutate(CellId cell, Pair& offspring, Generation generation, std::uint32_t number) const;
  /// True when one of its networks could not be updated, and will not be.
  static bool tell_of_left_out(const Offspring& offspring, CellReport& report);
  void replace(const EvolutionJob& job, Brood& brood) const;

  const Settings& settings_;
  nn::Device& device_;
  FitnessEvaluator evaluator_;
  std::optional<ScoreFitness> score_fitness_;  // where it is asked for
  std::optional<SampleDiversity> diversity_;   // likewise
  Trainer trainer_;
  std::vector<Brood> broods_;  // per cell of the group
};

}  // namespace lipizz::coev
