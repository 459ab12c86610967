// Every row of every table of operators in whole runs: on the smallest grid and in the largest
// neighbourhood, repeated and resumed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coev/island.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::operators_test {
namespace {

constexpr grid::Torus kAlone{1, 1};
constexpr grid::Torus kNineNeighbours{3, 3};
constexpr Generation kLast = 3;

// All cells of a grid on one island.
class WholeGrid {
 public:
  WholeGrid(const Settings& settings, grid::Torus torus)
      : island_(settings, torus, all_of(torus), dataset_, scorer_, testing::host()) {}

  void resume(const std::vector<CellState>& states, Generation generation) {
    island_.resume(states);
    generation_ = generation;
  }

  void advance_to(Generation last) {
    while (generation_ < last) {
      exchange(generation_ + 1);
      island_.evolve(
          ++generation_, [](CellId) {}, [] { return true; });
      island_.evaluate(generation_);
    }
  }

  std::vector<CellState> states() const {
    std::vector<CellState> states;
    for (const CellId cell : island_.hosted()) states.push_back(island_.state(cell));
    return states;
  }

 private:
  static std::vector<CellId> all_of(grid::Torus torus) {
    std::vector<CellId> cells;
    for (std::uint32_t i = 0; i < torus.cells(); ++i) cells.push_back({i});
    return cells;
  }

  void exchange(Generation next) {
    for (const CellId cell : island_.hosted()) {
      for (const CellId neighbour : island_.needs(cell, next)) {
        island_.receive(cell, neighbour, island_.publication(neighbour));
      }
    }
  }

  testing::ToyDataset dataset_{testing::kTinySamples};
  testing::MeanScorer scorer_;
  Island island_;
  Generation generation_ = 0;
};

// The error of a run with these settings; empty: none.
std::string complaint(const Settings& settings) {
  for (const grid::Torus torus : {kAlone, kNineNeighbours}) {
    const std::string where = " on " + std::to_string(torus.cells()) + " cells";
    WholeGrid run(settings, torus);
    run.advance_to(kLast - 1);
    const std::vector<CellState> halfway = run.states();
    run.advance_to(kLast);
    WholeGrid again(settings, torus);
    again.advance_to(kLast);
    if (again.states() != run.states()) return "repeated to other bits" + where;
    WholeGrid resumed(settings, torus);
    resumed.resume(halfway, kLast - 1);
    resumed.advance_to(kLast);
    if (resumed.states() != run.states()) return "resumed to other bits" + where;
  }
  return {};
}

Settings small_settings() {
  Settings settings = testing::tiny_settings();
  settings.batches_per_generation = 2;
  settings.neighbourhood = grid::Schedule(grid::find_neighbourhood("moore9"));
  settings.operators.rate_mutation.per = Period::kBatch;
  settings.operators.loss_mutation.losses = {0, 1, 3};
  return settings;
}

// Each row of a table in settings of its own, put there by `set`.
template <class Record>
void expect_runs(std::span<const Record* const> table,
                 const std::function<void(Settings&, const Record&)>& set) {
  for (const Record* row : table) {
    Settings settings = small_settings();
    set(settings, *row);
    EXPECT_EQ(complaint(settings), "") << row->name;
  }
}

TEST(Operators, every_row_runs_and_resumes) {
  expect_runs<Selection>(selections(), [](Settings& s, const auto& row) {
    s.operators.selection = row;
    if (row.compares_behaviours) s.operators.fitness.measure = FitnessMeasure::kScore;
  });
  expect_runs<Recombination>(recombinations(), [](Settings& s, const auto& row) {
    s.operators.recombination = row;
    s.operators.selection = kNoSelection;
  });
  expect_runs<Replacement>(replacements(),
                           [](Settings& s, const auto& row) { s.operators.replacement = row; });
  expect_runs<FitnessAggregation>(fitness_aggregations(), [](Settings& s, const auto& row) {
    s.operators.fitness.aggregation = row;
  });
  expect_runs<RateMutation>(rate_mutations(), [](Settings& s, const auto& row) {
    s.operators.rate_mutation.mutation = row;
  });
  expect_runs<LossMutation>(loss_mutations(), [](Settings& s, const auto& row) {
    s.operators.loss_mutation.mutation = row;
  });
  expect_runs<Opponents>(opponents(), [](Settings& s, const auto& row) {
    s.generator.opponents = s.discriminator.opponents = row;
  });
  expect_runs<TrainingSchedule>(training_schedules(), [](Settings& s, const auto& row) {
    s.generator.schedule = s.discriminator.schedule = row;
  });
  expect_runs<MixtureWeighting>(mixture_weightings(),
                                [](Settings& s, const auto& row) { s.operators.mixture = row; });
  expect_runs<Migration>(migrations(), [](Settings& s, const auto& row) {
    s.operators.selection = kNoSelection;
    s.operators.migration = row;
  });
}

TEST(Operators, an_operator_with_a_memory_of_its_own_is_found) {
  RateMutation forgetful = kNoRateMutation;
  forgetful.mutate = [](const RateMutationInput& input, ParameterValues) {
    static double factor = 1;
    return input.rate * (factor *= 1.01);
  };
  Settings settings = small_settings();
  settings.operators.rate_mutation.mutation = forgetful;
  EXPECT_EQ(complaint(settings), "repeated to other bits on 1 cells");
}

// Right when it is repeated from the start, as a new process would, but not when it is resumed.
TEST(Operators, an_operator_that_counts_generations_is_found) {
  static Generation n_seen = 0;
  Selection counting = kTournamentSelection;
  counting.select = [](const SelectionInput& input, ParameterValues) -> std::size_t {
    return n_seen++ / 5 % input.cells.size();
  };
  Settings settings = small_settings();
  settings.operators.selection = counting;
  WholeGrid run(settings, kNineNeighbours);
  run.advance_to(kLast - 1);
  const std::vector<CellState> halfway = run.states();
  run.advance_to(kLast);
  n_seen = 0;
  WholeGrid resumed(settings, kNineNeighbours);
  resumed.resume(halfway, kLast - 1);
  resumed.advance_to(kLast);
  EXPECT_FALSE(resumed.states() == run.states());
}

}  // namespace
}  // namespace lipizz::coev::operators_test
