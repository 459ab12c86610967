#include "report/run_configuration.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::run_configuration_test {
namespace {

TEST(RunConfiguration, is_read_as_a_run_wrote_it) {
  config::Experiment experiment;
  experiment.name = "a";
  experiment.seed = 7;
  experiment.generations = 30;
  experiment.grid.rows = 3;
  experiment.grid.columns = 5;
  experiment.data.dataset = "mnist";
  experiment.model.name = "mlp";
  experiment.exchange.mode = "async";
  experiment.operators.recombination.kind = "average";
  experiment.score.every = 4;
  experiment.score.n_samples = 900;
  experiment.score.n_samples_training = 90;
  const std::string text = config::to_json(experiment);
  const RunConfiguration configuration = parse_run_configuration(text, "here");
  EXPECT_EQ(configuration.name, "a");
  EXPECT_EQ(configuration.seed, 7);
  EXPECT_EQ(configuration.generations, 30);
  EXPECT_EQ(configuration.torus, (grid::Torus{3, 5}));
  EXPECT_EQ(configuration.dataset, "mnist");
  EXPECT_EQ(configuration.model, "mlp");
  EXPECT_TRUE(configuration.is_asynchronous);
  EXPECT_EQ(configuration.recombination, "average");
  EXPECT_EQ(configuration.score_every, 4);
  EXPECT_EQ(configuration.n_samples, 900);
  EXPECT_EQ(configuration.n_samples_training, 90);
  EXPECT_EQ(configuration.text, text);
  const RunConfiguration plain = parse_run_configuration(config::to_json({}), "here");
  EXPECT_FALSE(plain.is_asynchronous);
  EXPECT_EQ(plain.recombination, "none");
}

TEST(RunConfiguration, keys_of_other_versions_do_not_matter) {
  const RunConfiguration configuration = parse_run_configuration(
      R"({"grid":{"rows":1,"columns":2},"generations":3,"new":[1],"model":{"generator":[]}})", "a");
  EXPECT_EQ(configuration.torus, (grid::Torus{1, 2}));
  EXPECT_EQ(configuration.model, R"({"generator":[]})");
  EXPECT_EQ(configuration.name, "");
}

TEST(RunConfiguration, other_text_is_an_error) {
  for (const char* text :
       {"", "[]", "{}", "nonsense", R"({"grid":{"rows":0,"columns":2},"generations":3})",
        R"({"grid":{"rows":1},"generations":3})",
        R"({"grid":{"rows":-1,"columns":2},"generations":3})",
        R"({"grid":{"rows":16777216,"columns":16777216},"generations":3})",
        R"({"grid":{"rows":1,"columns":1},"generations":"three"})",
        R"({"grid":{"rows":1,"columns":1},"generations":3,"name":[]})"}) {
    EXPECT_THROW(parse_run_configuration(text, "here"), ConfigError) << text;
  }
  EXPECT_THROW(parse_run_configuration(std::string(500'000, '['), "here"), ConfigError);
}

TEST(RunConfiguration, a_folder_without_one_is_no_runs) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_run_configuration(folder.path()), ConfigError);
  EXPECT_THROW(read_run_configuration(folder / "none"), ConfigError);
  write_text(folder / "config.json", config::to_json({}));
  EXPECT_EQ(read_run_configuration(folder.path()).torus, (grid::Torus{2, 2}));
}

}  // namespace
}  // namespace lipizz::report::run_configuration_test
