#include "app/ensemble_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/dataset_scorer.hpp"
#include "app/run_argument.hpp"
#include "two_runs.hpp"

namespace lipizz::app::ensemble_folder_test {
namespace {

namespace fs = std::filesystem;

class EnsembleFolderTest : public TwoRunsTest {
 protected:
  // With the first member of the one run and the second of the other.
  void write(const fs::path& folder) {
    fs::create_directories(folder);
    EnsemblePool pool(line(), false);
    const auto scorer = open_scorer("auto", pool.first().dataset(), base_, pool.first().device());
    const Ensemble ensemble{{0.25, 0, 0, 0.75}, {1, 2, NAN, 4}, 0.5, {3, 2}};
    write_ensemble(folder, pool, ensemble, *scorer, ensemble_request(line()));
  }
};

TEST_F(EnsembleFolderTest, is_a_run_s_with_a_mixture) {
  write(base_ / "both");
  const config::Experiment experiment = experiment_of_run(base_ / "both");
  EXPECT_EQ(experiment.grid.rows, 1U);
  EXPECT_EQ(experiment.grid.columns, 2U);
  EXPECT_EQ(experiment.data, experiment_of_run(base_ / "one").data);
  const auto written = worker::read_mixture(base_ / "both/mixture");
  const auto one = worker::read_mixture(base_ / "one/mixture");
  const auto two = worker::read_mixture(base_ / "two/mixture");
  ASSERT_EQ(written.parameters.size(), 2U);
  EXPECT_EQ(written.parameters[0], one.parameters[0]);
  EXPECT_EQ(written.parameters[1], two.parameters[1]);
  EXPECT_EQ(written.about.generators[1].weight, 0.75);
  EXPECT_EQ(written.about.generators[1].column, 1U);
  EXPECT_EQ(written.examples.samples[0], one.examples.samples[0]);
  RunMixture mixture(line(), base_ / "both", false);
  EXPECT_NO_THROW(mixture.sampler());
}

TEST_F(EnsembleFolderTest, says_where_each_generator_comes_from) {
  write(base_ / "both");
  const auto json = nlohmann::json::parse(std::ifstream(base_ / "both/ensemble.json"));
  EXPECT_EQ(json["format"], "lipizz ensemble 1");
  EXPECT_EQ(json["weighting"]["kind"], "genetic");
  EXPECT_EQ(json["weighting"]["tournament"], 3);
  EXPECT_EQ(json["number"], 300);
  EXPECT_EQ(json["metric"], "modes");
  EXPECT_EQ(json["score"], 0.5);
  EXPECT_EQ(json["runs"][1]["score"], 2);
  const auto& members = json["members"];
  ASSERT_EQ(members.size(), 4U);
  EXPECT_EQ(members[0]["file"], "cell-0.safetensors");
  EXPECT_EQ(members[1]["file"], nullptr);
  EXPECT_EQ(members[2]["score"], nullptr);
  EXPECT_EQ(members[3]["file"], "cell-1.safetensors");
  EXPECT_EQ(members[3]["run"], (base_ / "two").string());
  EXPECT_EQ(members[3]["generation"], 3);
  EXPECT_EQ(members[3]["weight"], 0.75);
}

}  // namespace
}  // namespace lipizz::app::ensemble_folder_test
