#include "app/rank_setup.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include "config/json.hpp"
#include "core/error.hpp"
#include "setup/resolve.hpp"

namespace lipizz::app::rank_setup_test {
namespace {

TEST(RankSetup, tells_of_the_experiment_as_it_was_given) {
  config::Experiment given;
  given.data.dataset = "ring8";
  const RankSetup setup = prepare_rank([&] { return given; });
  EXPECT_EQ(setup.experiment.model.name, "mlp-2d");
  EXPECT_EQ(setup.entry.configuration, config::hash(given));
  EXPECT_EQ(setup.entry.exit_code, 0);
}

TEST(RankSetup, paths_are_kept_for_a_resume_from_elsewhere) {
  config::Experiment given;
  given.data.dir = "data/./here";
  given.compute.convolution_table = "../table.json";
  const RankSetup setup = prepare_rank([&] { return given; });
  const std::filesystem::path current = std::filesystem::current_path();
  EXPECT_EQ(setup.experiment.data.dir, current / "data/here");
  EXPECT_EQ(setup.experiment.compute.convolution_table, current.parent_path() / "table.json");
  EXPECT_EQ(config::lineage_hash(setup.experiment), config::lineage_hash(setup::resolved(given)));
  EXPECT_EQ(setup.entry.configuration, config::hash(given));
  given.data.dir = "/d";
  given.compute.convolution_table = "";
  const RankSetup as_they_are = prepare_rank([&] { return given; });
  EXPECT_EQ(as_they_are.experiment.data.dir, "/d");
  EXPECT_EQ(as_they_are.experiment.compute.convolution_table, "");
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
}  // namespace lipizz::app::rank_setup_test
