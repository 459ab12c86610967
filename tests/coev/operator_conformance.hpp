#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coev/fitness.hpp"
#include "coev/loss_mutation.hpp"
#include "coev/mixture_weighting.hpp"
#include "coev/opponents.hpp"
#include "coev/period.hpp"
#include "coev/rate_mutation.hpp"
#include "coev/recombination.hpp"
#include "coev/replacement.hpp"
#include "coev/selection.hpp"
#include "coev/training_schedule.hpp"

/// The properties that every operator of a kind has. Each suite gives the properties that an
/// operator breaks, so that tests can show both that a row of a table breaks none and that a
/// spoiled operator is found out.
namespace lipizz::coev::testing {

using Broken = std::set<std::string>;

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// From a grid of one cell to the largest neighbourhood whose publications can be told apart.
inline constexpr std::array kSubpopulationSizes{1U, 2U, 5U, 9U, 17U};
inline constexpr std::uint32_t kGenerations = 20;

// The defaults, and both ends of all ranges.
template <Operator Record>
std::vector<std::vector<double>> parameter_sets(const Record& record) {
  std::vector<std::vector<double>> sets(3);
  for (const Parameter& parameter : record.parameters) {
    sets[0].push_back(parameter.initial);
    sets[1].push_back(parameter.lowest);
    sets[2].push_back(parameter.highest);
  }
  return sets;
}

// A function of a generation must depend on nothing else, above all not on earlier calls: a resumed
// run asks for the later generations alone.
template <class F>
void expect_keyed(const F& f, Broken& broken) {
  std::vector<decltype(f(0U))> forward;
  for (std::uint32_t g = 0; g < kGenerations; ++g) forward.push_back(f(g));
  for (std::uint32_t g = kGenerations; g-- > 0;) {
    if (f(g) != forward[g]) broken.insert("deterministic");
  }
}

// Distinct, and not in the order of the members.
inline std::vector<CellId> some_cells(std::uint32_t n) {
  std::vector<CellId> cells;
  for (std::uint32_t i = 0; i < n; ++i) cells.push_back({(i * 7 + 3) % 31});
  return cells;
}

inline std::vector<double> some_values(std::uint32_t n, std::uint32_t sample) {
  std::vector<double> values;
  const Random random(11, Purpose::kTest);
  for (std::uint32_t i = 0; i < n; ++i) values.push_back(random.uniform(sample, i));
  return values;
}

// Equal where no sample is told.
inline std::vector<Behaviour> some_behaviours(std::uint32_t n,
                                              std::optional<std::uint32_t> sample) {
  std::vector<Behaviour> behaviours(n, {0.5, 0.25});
  for (std::uint32_t i = 0; sample && i < n; ++i) behaviours[i] = some_values(2, *sample + i);
  return behaviours;
}

// It is told no fitness and no behaviours in generations that are none of its period.
inline bool rests_between_periods(const Selection& selection, const std::vector<double>& values,
                                  std::span<const CellId> cells) {
  const Configured<Selection> configured(selection, values);
  for (std::uint32_t g = 1; g < kGenerations; ++g) {
    const Random random(1, Purpose::kSelection, {0}, g);
    const SelectionInput idle{{}, cells, random, NetworkRole::kGenerator, g};
    if (!is_due(g, configured) && selection.select(idle, values) != 0) return false;
  }
  return true;
}

inline Broken broken_properties(const Selection& selection) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(selection)) {
    for (const std::uint32_t n : kSubpopulationSizes) {
      const std::vector<CellId> cells = some_cells(n);
      const auto selected_of = [&](std::span<const double> fitness, std::uint32_t g,
                                   std::span<const Behaviour> behaviours) {
        const Random random(1, Purpose::kSelection, {0}, g);
        SelectionInput input{fitness, cells, random,
                             g % 2 == 0 ? NetworkRole::kGenerator : NetworkRole::kDiscriminator};
        if (selection.compares_behaviours) input.behaviours = behaviours;
        return selection.select(input, values);
      };
      // Among equal behaviours fitness decides.
      const auto selected = [&](std::span<const double> fitness, std::uint32_t g) {
        return selected_of(fitness, g, some_behaviours(n, std::nullopt));
      };
      const auto selected_of_some = [&](std::uint32_t g) {
        return selected_of(some_values(n, g), g, some_behaviours(n, g));
      };
      expect_keyed(selected_of_some, broken);
      if (!rests_between_periods(selection, values, cells)) broken.insert("rests between periods");
      for (std::uint32_t g = 0; g < kGenerations; ++g) {
        const std::size_t member = selected_of_some(g);
        if (member >= n) broken.insert("gives a member");
        if (member != 0 && !selection.copies_neighbours) broken.insert("copies whom it says");

        // A fitness that is not finite counts as the worst, and on a tie the lower cell as the
        // fitter one.
        std::vector<double> not_finite = some_values(n, g);
        std::vector<double> worst = not_finite;
        std::vector<double> equal(n, 1.0);
        std::vector<double> by_cell(n);
        for (std::uint32_t i = 0; i < n; ++i) {
          by_cell[i] = 1 + 1e-6 * cells[i].value;
          if (i % 3 == g % 3) continue;
          not_finite[i] = i % 2 == 0 ? kNotANumber : -std::numeric_limits<double>::infinity();
          worst[i] = 1e6 + cells[i].value;
        }
        if (selected(not_finite, g) != selected(worst, g)) broken.insert("NaN loses");
        if (selected(equal, g) != selected(by_cell, g)) broken.insert("ties go by cell");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const Replacement& replacement) {
  Broken broken;
  constexpr std::array kFitness{kNotANumber, 0.0, 1.0, 2.0,
                                std::numeric_limits<double>::infinity()};
  for (const std::vector<double>& values : parameter_sets(replacement)) {
    for (const double centre : kFitness) {
      for (const double offspring : kFitness) {
        const auto decided = [&](std::uint32_t) {
          return replacement.decide(centre, offspring, values);
        };
        expect_keyed(decided, broken);
        const Decision decision = decided(0);
        const bool is_lost = !std::isfinite(offspring);
        if (decision == Decision::kOffspring && is_lost) broken.insert("NaN loses");
        if (decision == Decision::kKeep && !std::isfinite(centre)) broken.insert("NaN loses");
        if (decision == Decision::kRescue && !is_lost) broken.insert("takes what is finite");
        const bool depends = decision != replacement.decide(kNotANumber, offspring, values);
        if (depends && !replacement.compares_fitness) broken.insert("compares as it says");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const FitnessAggregation& aggregation) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(aggregation)) {
    for (const std::uint32_t n : kSubpopulationSizes) {
      const auto aggregated = [&](std::vector<double> losses) {
        return aggregation.aggregate(losses, values);
      };
      // Eighths, so that sums are exact in any order.
      const auto losses_of = [n](std::uint32_t g) {
        std::vector<double> losses = some_values(n, g);
        for (double& loss : losses) loss = std::floor(loss * 64) / 8;
        return losses;
      };
      expect_keyed([&](std::uint32_t g) { return aggregated(losses_of(g)); }, broken);
      for (std::uint32_t g = 0; g < kGenerations; ++g) {
        std::vector<double> losses = losses_of(g);
        const double fitness = aggregated(losses);
        const auto [least, greatest] = std::ranges::minmax(losses);
        if (!(fitness >= least && fitness <= greatest)) broken.insert("between the extremes");
        std::ranges::rotate(losses, losses.begin() + n / 2);
        if (aggregated(losses) != fitness) broken.insert("no order");
        losses[g % n] += 0.125;
        if (aggregated(losses) < fitness) broken.insert("monotone");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const RateMutation& mutation) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(mutation)) {
    for (const double rate : {0.0, 1e-4, 1.0}) {
      const auto mutated = [&](std::uint32_t sample) {
        const Random random(1, Purpose::kGeneratorRate, {0}, 1);
        return mutation.mutate({rate, 2e-4, random, sample, sample % 2 == 0}, values);
      };
      expect_keyed(mutated, broken);
      for (std::uint32_t sample = 0; sample < kGenerations; ++sample) {
        if (!(mutated(sample) >= 0 && std::isfinite(mutated(sample)))) broken.insert("is a rate");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const Recombination& recombination) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(recombination)) {
    for (const std::uint32_t n : kSubpopulationSizes) {
      const auto weighed = [&](Generation g) {
        std::vector<double> weights(n);
        weights[g % n] = 1;
        recombination.weigh({g % n, g}, values, weights);
        return weights;
      };
      expect_keyed(weighed, broken);
      for (Generation g = 0; g < kGenerations; ++g) {
        const std::vector<double> weights = weighed(g);
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        const bool is_negative = std::ranges::min(weights) < 0;
        if (is_negative || !(std::abs(sum - 1) < 1e-9)) broken.insert("are weights");
        if (weights[g % n] != 1 && !recombination.mixes) broken.insert("mixes as it says");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const LossMutation& mutation) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(mutation)) {
    for (const std::vector<nn::LossId>& losses :
         {std::vector<nn::LossId>{2}, std::vector<nn::LossId>{0, 3, 1}}) {
      constexpr nn::LossId kBefore = 4;
      const auto mutated = [&](std::uint32_t sample) {
        const Random random(1, Purpose::kLossMutation, {0}, 1);
        return mutation.mutate({kBefore, losses, random, sample}, values);
      };
      expect_keyed(mutated, broken);
      for (std::uint32_t sample = 0; sample < kGenerations; ++sample) {
        const nn::LossId loss = mutated(sample);
        const bool is_one = std::ranges::find(losses, loss) != losses.end();
        if (!is_one && loss != kBefore) broken.insert("one of the losses");
        if (loss != kBefore && !mutation.chooses) broken.insert("chooses as it says");
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const Opponents& opponents) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(opponents)) {
    for (const std::uint32_t n : kSubpopulationSizes) {
      const auto drawn = [&](std::uint32_t step) {
        const Random random(1, Purpose::kGeneratorOpponent, {0}, 1);
        return opponents.draw({n, random, step}, values);
      };
      expect_keyed(drawn, broken);
      const std::uint32_t n_past = opponents.history == nullptr ? 0 : 3;
      for (std::uint32_t step = 0; step < kGenerations; ++step) {
        if (drawn(step) >= n) broken.insert("gives a member");
        const Random random(1, Purpose::kGeneratorOpponent, {0}, 1);
        if (opponents.draw({n, random, step, 1, n_past}, values) >= n + n_past) {
          broken.insert("gives a member or one of the past");
        }
      }
    }
  }
  return broken;
}

inline Broken broken_properties(const TrainingSchedule& schedule) {
  Broken broken;
  for (const std::vector<double>& values : parameter_sets(schedule)) {
    const auto point = [&](std::uint32_t tenth) { return schedule.at(tenth / 10.0, values); };
    expect_keyed([&](std::uint32_t tenth) { return point(tenth).progress; }, broken);
    expect_keyed([&](std::uint32_t tenth) { return point(tenth).rate; }, broken);
    if (point(0).progress != 0) broken.insert("begins at 0");
    double before = 0;
    for (const std::uint32_t tenth : {0U, 1U, 7U, 100U, 999U, 1000U, 1001U, 20'000'000U}) {
      const SchedulePoint here = point(tenth);
      if (here.progress < before || here.progress > 1) broken.insert("rises to 1 at most");
      if (!(here.rate >= 0 && std::isfinite(here.rate))) broken.insert("is a rate");
      if (here.progress > 0 && !schedule.progresses) broken.insert("progresses as it says");
      before = here.progress;
    }
    if (schedule.progresses && before != 1) broken.insert("comes to its end");
  }
  return broken;
}

// The functions that a weighting may ask; it is handed the one of its measure alone.
struct MixtureQuestions {
  std::function<double(std::span<const double>)> score{};
  std::function<double(std::size_t)> recall{};
};

// The weights that it finds from equal ones.
inline std::vector<double> found_weights(const MixtureWeighting& weighting, ParameterValues values,
                                         std::uint32_t n, std::uint32_t generation,
                                         const MixtureQuestions& questions, Broken& broken) {
  std::vector<double> weights(n, 1.0 / n);
  MixtureQuestions allowed;
  if (weighting.measure == MixtureMeasure::kScore) allowed.score = questions.score;
  if (weighting.measure == MixtureMeasure::kRecall) allowed.recall = questions.recall;
  const Random random(1, Purpose::kMixtureStep, {0}, generation);
  try {
    weighting.find(weights, {random, allowed.score, allowed.recall}, values);
  } catch (const std::bad_function_call&) {
    broken.insert("asks for its measure");
  }
  return weights;
}

inline void check_by_score(const MixtureWeighting& weighting, ParameterValues values,
                           std::uint32_t n, std::uint32_t g, Broken& broken) {
  const std::vector<double> start(n, 1.0 / n);
  const auto found = [&](const auto& score) {
    return found_weights(weighting, values, n, g, {.score = score}, broken);
  };
  const auto first_alone = [](std::span<const double> w) { return (w[0] - 1) * (w[0] - 1); };
  const auto only_the_start = [&](std::span<const double> w) {
    return std::ranges::equal(w, start) ? 1.0 : kNotANumber;
  };
  if (first_alone(found(first_alone)) > first_alone(start)) broken.insert("never worse");
  if (found(only_the_start) != start) broken.insert("NaN loses");
}

inline void check_by_recall(const MixtureWeighting& weighting, ParameterValues values,
                            std::uint32_t n, std::uint32_t g, Broken& broken) {
  const auto found = [&](double recall_of_last) {
    std::vector<double> recalls = some_values(n, g);
    recalls.back() = recall_of_last;
    const auto recall = [&](std::size_t member) { return recalls[member]; };
    return found_weights(weighting, values, n, g, {.recall = recall}, broken);
  };
  if (found(kNotANumber) != found(0)) broken.insert("NaN loses");
  if (found(1).back() < found(0.5).back()) broken.insert("more for more recall");
}

inline Broken broken_properties(const MixtureWeighting& weighting) {
  Broken broken;
  for (std::vector<double> values : parameter_sets(weighting)) {
    // The range may end with a million tries.
    for (double& value : values) value = std::min(value, 50.0);
    for (const std::uint32_t n : kSubpopulationSizes) {
      if (n < 2) continue;
      const auto found = [&](std::uint32_t g) {
        const MixtureQuestions questions{
            [](std::span<const double> w) { return (w[0] - 1) * (w[0] - 1); },
            [&](std::size_t member) { return some_values(n, g)[member]; }};
        return found_weights(weighting, values, n, g, questions, broken);
      };
      expect_keyed(found, broken);
      for (std::uint32_t g = 0; g < kGenerations; ++g) {
        const std::vector<double> weights = found(g);
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        const bool is_negative = std::ranges::min(weights) < 0;
        if (is_negative || !(std::abs(sum - 1) < 1e-9)) broken.insert("are weights");
        if (weighting.measure == MixtureMeasure::kScore) {
          check_by_score(weighting, values, n, g, broken);
        }
        if (weighting.measure == MixtureMeasure::kRecall) {
          check_by_recall(weighting, values, n, g, broken);
        }
      }
    }
  }
  return broken;
}

}  // namespace lipizz::coev::testing
