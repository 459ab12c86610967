#include "coev/centre_replacement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "coev/replacement/elitist.hpp"
#include "coev/replacement/generational.hpp"
#include "coev/support.hpp"
#include "core/error.hpp"

namespace lipizz::coev::centre_replacement_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Configured<Replacement> kElitist{kElitistReplacement};
const Configured<Replacement> kGenerational{kGenerationalReplacement};

struct Grid {
  Settings settings = testing::tiny_settings();
  std::vector<Cell> cells{make_cell(settings, {0}), make_cell(settings, {1}),
                          make_cell(settings, {2})};
  Pair offspring = make_cell(settings, {9}).centre;
  Subpopulation members = testing::subpopulation(cells);

  ReplacementResult replace_generator(const Configured<Replacement>& replacement,
                                      std::vector<double> before, double fitness) {
    return replace_centre({replacement, NetworkRole::kGenerator, members, before, fitness},
                          cells[0].centre, offspring);
  }
};

TEST(CentreReplacement, puts_the_better_offspring_in_the_centre_and_touches_the_other_role_not) {
  Grid grid;
  const Pair before = grid.cells[0].centre;
  const Pair trained = grid.offspring;
  const ReplacementResult s = grid.replace_generator(kElitist, {2, 3, 1}, 1.5);
  EXPECT_TRUE(s.is_replaced);
  EXPECT_EQ(s.fitness, 1.5);
  EXPECT_EQ(s.warning, "");
  EXPECT_EQ(grid.cells[0].centre.generator, trained.generator);
  EXPECT_EQ(grid.cells[0].centre.discriminator, before.discriminator);
}

TEST(CentreReplacement, keeps_the_centre_and_warns_when_the_offspring_is_lost) {
  Grid grid;
  const Pair before = grid.cells[0].centre;
  const ReplacementResult s = grid.replace_generator(kElitist, {2, 3, 1}, kNan);
  EXPECT_FALSE(s.is_replaced);
  EXPECT_FALSE(s.is_copied);
  EXPECT_EQ(s.fitness, 2);
  EXPECT_THAT(s.warning, ::testing::HasSubstr("generator went NaN"));
  EXPECT_EQ(grid.cells[0].centre, before);
}

TEST(CentreReplacement, keeps_the_centre_without_a_word_when_the_offspring_is_worse) {
  Grid grid;
  EXPECT_EQ(grid.replace_generator(kElitist, {2, 3, 1}, 2).warning, "");
}

TEST(CentreReplacement, puts_the_best_finite_neighbour_in_the_place_of_a_lost_centre) {
  for (const auto& replacement : {kElitist, kGenerational}) {
    Grid grid;
    const ReplacementResult s = grid.replace_generator(replacement, {kNan, 3, kNan}, kNan);
    EXPECT_FALSE(s.is_replaced);
    EXPECT_TRUE(s.is_copied);
    EXPECT_EQ(s.fitness, 3);
    EXPECT_THAT(s.warning, ::testing::HasSubstr("replaced by that of cell 1"));
    EXPECT_EQ(grid.cells[0].centre.generator.parameters, grid.cells[1].centre.generator.parameters);
    EXPECT_EQ(grid.cells[0].centre.generator.origin, CellId{1});
  }
}

TEST(CentreReplacement, starts_moments_anew_that_did_not_travel) {
  Grid grid;
  grid.cells[1].centre.generator.moments = {};
  std::ranges::fill(grid.cells[0].centre.generator.moments.writable(), 1.0f);
  grid.replace_generator(kElitist, {kNan, 3, kNan}, kNan);
  EXPECT_EQ(grid.cells[0].centre.generator.moments, nn::Buffer<float>(64));
}

TEST(CentreReplacement, is_an_error_when_nothing_finite_is_left) {
  Grid grid;
  EXPECT_THROW(grid.replace_generator(kElitist, {kNan, kNan, kNan}, kNan), NumericError);
  EXPECT_THROW(grid.replace_generator(kGenerational, {1, kNan, kNan}, kNan), NumericError);
}

}  // namespace
}  // namespace lipizz::coev::centre_replacement_test
