#include "setup/validate.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::setup::validate_test {
namespace {

std::string message(const config::Experiment& experiment) {
  try {
    validate(experiment);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(Validate, the_defaults_and_every_committed_experiment_use_registered_names) {
  EXPECT_NO_THROW(validate({}));
  for (const auto& entry : std::filesystem::directory_iterator(LIPIZZ_SOURCE_DIR "/configs")) {
    if (entry.is_directory()) continue;
    config::Experiment experiment;
    config::apply_file(entry.path(), experiment);
    EXPECT_NO_THROW(validate(experiment)) << entry.path();
  }
}

TEST(Validate, a_model_must_make_samples_as_large_as_the_dataset_has) {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.model.name = "dcgan28";
  EXPECT_EQ(
      message(experiment),
      "model: expected one for samples of 2, as ring8 has, found \"dcgan28\" for 28x28x1; use "
      "\"mlp-2d\"");
  experiment.model.name = "dcgan";
  EXPECT_THAT(message(experiment), ::testing::HasSubstr("found 2; use \"mlp-2d\""));
}

TEST(Validate, a_training_step_must_fit_into_some_machine) {
  config::Experiment experiment;
  config::apply_value("model", R"({"generator": {"inputs": [1], "layers": [
      {"kind": "linear", "outputs": 784}, {"kind": "reshape", "shape": [28, 28, 1]},
      {"kind": "convolution", "outputs": 65536}, {"kind": "convolution", "outputs": 1}]},
      "discriminator": {"inputs": [784], "layers": [{"kind": "linear", "outputs": 1}]}})",
                      "test", experiment);
  experiment.data.batch_size = 1;
  EXPECT_NO_THROW(validate(experiment));
  experiment.data.batch_size = 65536;
  try {
    validate(experiment);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("data.batch_size: a training step with 65536 samples takes"));
  }
}

TEST(Validate, a_metric_must_be_for_samples_of_the_dataset_s_kind) {
  config::Experiment experiment;
  experiment.score.metric = "modes";
  EXPECT_THROW(validate(experiment), ConfigError);
  experiment.data.dataset = "ring8";
  EXPECT_NO_THROW(validate(experiment));
  experiment.score.metric = "frechet";
  EXPECT_THROW(validate(experiment), ConfigError);
}

TEST(Validate, a_metric_that_needs_labels_must_be_for_a_dataset_that_has_them) {
  config::Experiment experiment;
  experiment.data.dataset = "facades";
  experiment.score.metric = "blocks";
  EXPECT_NO_THROW(validate(experiment));
  experiment.score.metric = "frechet";
  EXPECT_THROW(validate(experiment), ConfigError);
}

TEST(Validate, classes_and_images_are_asked_for_where_there_are_some) {
  config::Experiment experiment;
  experiment.data.dataset = "facades";
  experiment.score.metric = "blocks";
  experiment.data.class_conditional = true;
  EXPECT_EQ(message(experiment), "class_conditional: facades has no classes");
  experiment = {};
  experiment.data.dataset = "ring8";
  experiment.data.augmentation = {"cutout"};
  EXPECT_EQ(message(experiment), "augmentation: ring8 has no images");
}

TEST(Validate, a_table_of_convolutions_for_the_engine_that_has_one_way_is_refused) {
  config::Experiment experiment;
  experiment.compute.engine = "reference";
  EXPECT_NO_THROW(validate(experiment));
  experiment.compute.convolution_table = "table.json";
  EXPECT_THAT(message(experiment), ::testing::StartsWith("convolution_table: engine reference"));
}

TEST(Validate, samples_must_fill_a_batch) {
  config::Experiment experiment;
  experiment.data.batch_size = 90;
  EXPECT_NO_THROW(check_samples(experiment, 90));
  EXPECT_THROW(check_samples(experiment, 89), ConfigError);
  experiment.data.share = 0.5;
  EXPECT_NO_THROW(check_samples(experiment, 180));
  try {
    check_samples(experiment, 178);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("the 89 training samples that data.share leaves"));
  }
}

}  // namespace
}  // namespace lipizz::setup::validate_test
