#include "app/rank_setup.hpp"

#include <gtest/gtest.h>

#include <new>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

TEST(RankSetup, tells_of_the_experiment_as_it_was_given) {
  config::Experiment given;
  given.data.dataset = "ring8";
  const RankSetup setup = prepare_rank([&] { return given; });
  EXPECT_EQ(setup.experiment.model.name, "mlp-2d");
  EXPECT_EQ(setup.entry.configuration, config::hash(given));
  EXPECT_EQ(setup.entry.exit_code, 0);
}

TEST(RankSetup, a_failure_becomes_an_entry_with_its_code) {
  const RankSetup data =
      prepare_rank([]() -> config::Experiment { throw DataError("nothing there"); });
  EXPECT_EQ(data.entry.exit_code, 4);
  EXPECT_EQ(data.entry.error, "nothing there");
  const RankSetup memory = prepare_rank([]() -> config::Experiment { throw std::bad_alloc(); });
  EXPECT_EQ(memory.entry.exit_code, 2);
}

}  // namespace
}  // namespace lipizz::app
