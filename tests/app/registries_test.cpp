#include "app/registries.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

TEST(Registries, names_stand_once_each_with_a_summary) {
  for (const Kind& kind : kinds()) {
    std::set<std::string> seen;
    for (const Entry& entry : kind.entries()) {
      EXPECT_TRUE(seen.insert(entry.name).second) << kind.name << " " << entry.name;
      EXPECT_FALSE(entry.summary.empty()) << kind.name << " " << entry.name;
    }
    EXPECT_FALSE(seen.empty()) << kind.name;
  }
}

TEST(Registries, the_defaults_and_every_committed_experiment_use_registered_names) {
  EXPECT_NO_THROW(check({}));
  for (const auto& entry : std::filesystem::directory_iterator(LIPIZZ_SOURCE_DIR "/configs")) {
    config::Experiment experiment;
    config::apply_file(entry.path(), experiment);
    EXPECT_NO_THROW(check(experiment)) << entry.path();
  }
}

TEST(Registries, a_model_must_make_samples_as_large_as_the_dataset_has) {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.model.name = "mlp";
  try {
    check(experiment);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "model: expected one with 2 values per sample, as ring8 has, found \"mlp\" with "
                 "784 values per sample; use \"mlp-2d\"");
  }
}

TEST(Registries, a_training_step_must_fit_into_some_machine) {
  config::Experiment experiment;
  config::apply_value("model", R"({"generator": {"inputs": [1], "layers": [
      {"kind": "linear", "outputs": 784}, {"kind": "reshape", "shape": [28, 28, 1]},
      {"kind": "convolution", "outputs": 65536}, {"kind": "convolution", "outputs": 1}]},
      "discriminator": {"inputs": [784], "layers": [{"kind": "linear", "outputs": 1}]}})",
                      "test", experiment);
  experiment.data.batch_size = 1;
  EXPECT_NO_THROW(check(experiment));
  experiment.data.batch_size = 65536;
  try {
    check(experiment);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("data.batch_size: a training step with 65536 samples takes"));
  }
}

TEST(Registries, a_metric_must_be_for_samples_of_the_dataset_s_kind) {
  config::Experiment experiment;
  experiment.score.metric = "modes";
  EXPECT_THROW(check(experiment), ConfigError);
  experiment.data.dataset = "ring8";
  EXPECT_NO_THROW(check(experiment));
  experiment.score.metric = "frechet";
  EXPECT_THROW(check(experiment), ConfigError);
}

TEST(Registries, a_metric_that_needs_labels_must_be_for_a_dataset_that_has_them) {
  config::Experiment experiment;
  experiment.data.dataset = "facades";
  experiment.score.metric = "blocks";
  EXPECT_NO_THROW(check(experiment));
  experiment.score.metric = "frechet";
  EXPECT_THROW(check(experiment), ConfigError);
}

TEST(Registries, a_misspelt_kind_gets_the_nearest) {
  EXPECT_EQ(find_kind("losses").name, "losses");
  try {
    find_kind("loses");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "there is nothing to list called \"loses\"; did you mean \"losses\"?");
  }
}

}  // namespace
}  // namespace lipizz::app
