#include "master/divergence.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::master::divergence_test {
namespace {

using ::testing::HasSubstr;

config::Experiment of_generations(Generation n) {
  config::Experiment experiment;
  experiment.generations = n;
  experiment.generator.learning_rate = 10;
  experiment.discriminator.learning_rate = 0.5;
  return experiment;
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const NumericError& error) {
    return error.what();
  }
}

TEST(Divergence, ends_a_run_of_which_no_generation_came_to_anything) {
  const config::Experiment experiment = of_generations(2);
  Divergence divergence(experiment);
  EXPECT_NO_THROW(divergence.add(1, true));
  EXPECT_EQ(
      complaint([&] { divergence.add(2, true); }),
      "the training of every cell went NaN or infinite in generations 1 to 2, and nothing was "
      "learnt; lower generator.learning_rate (10) and discriminator.learning_rate (0.5), and "
      "begin another run");
}

TEST(Divergence, ends_a_run_after_ten_generations_in_a_row) {
  const config::Experiment experiment = of_generations(100);
  Divergence divergence(experiment);
  for (Generation g = 1; g <= 9; ++g) EXPECT_NO_THROW(divergence.add(g, true));
  EXPECT_NO_THROW(divergence.add(10, false)) << "a cell recovered";
  for (Generation g = 11; g <= 19; ++g) EXPECT_NO_THROW(divergence.add(g, true));
  EXPECT_THAT(complaint([&] { divergence.add(20, true); }), HasSubstr("generations 11 to 20"));
}

TEST(Divergence, lets_a_run_end_well_that_learnt_something) {
  const config::Experiment experiment = of_generations(3);
  Divergence divergence(experiment);
  divergence.add(1, false);
  divergence.add(2, true);
  EXPECT_NO_THROW(divergence.add(3, true));
}

TEST(Divergence, refuses_an_end_without_a_score) {
  const config::Experiment experiment = of_generations(3);
  EXPECT_THAT(complaint([&] { Divergence(experiment).refuse_without_score(); }),
              HasSubstr("no cell has a score at the end"));
}

}  // namespace
}  // namespace lipizz::master::divergence_test
