#include "setup/settings.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::setup::settings_test {
namespace {

config::Experiment small() {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  return experiment;
}

TEST(Settings, a_learning_rate_follows_the_batch_where_it_is_asked_to) {
  config::Experiment from = small();
  from.data.batch_size = 256;
  from.generator.learning_rate = from.discriminator.learning_rate = 0.5;
  from.discriminator.rate_scaling.batch = 16;
  EXPECT_EQ(settings_of(from).generator.learning_rate, 0.5);
  from.generator.rate_scaling.rule = "linear";
  from.discriminator.rate_scaling.rule = "sqrt";
  EXPECT_EQ(settings_of(from).generator.learning_rate, 0.5 * 4);
  EXPECT_EQ(settings_of(from).discriminator.learning_rate, 0.5 * 4);
  from.data.batch_size = 64;
  EXPECT_EQ(settings_of(from).generator.learning_rate, 0.5);
  EXPECT_EQ(settings_of(from).discriminator.learning_rate, 0.5 * 2);
}

TEST(Settings, hands_every_setting_on) {
  config::Experiment from = small();
  from.seed = 9;
  from.data.batch_size = 50;
  from.data.batches_per_generation = 70;
  from.generator = {{.optimizer = "sgd",
                     .learning_rate = 0.1,
                     .betas = {0.2, 0.3},
                     .epsilon = 0.4,
                     .weight_decay = 0.6,
                     .loss = "bce",
                     .steps = {.per_batch = 2},
                     .clip = {.norm = 0.7, .value = 0.8, .weights = 0.9},
                     .mixed_precision = {"fp16", 1024}},
                    0.99,
                    50};
  from.discriminator.penalty = "r1";
  from.discriminator.penalty_weight = 4;
  from.data.augmentation = {"cutout"};
  from.discriminator.learning_rate = 0.5;
  from.discriminator.optimizer = "rmsprop";
  from.discriminator.steps.every = 3;
  from.generator.steps.every = 5;
  from.data.micro_batches = 4;
  from.discriminator.steps.micro_batches = 2;
  from.operators.loss_mutation = {
      .mutation = {"uniform"}, .losses = {"bce", "mse"}, .per = "batch"};
  from.operators.rate_mutation.per = "batch";
  from.operators.fitness = {.n_samples = 11, .aggregation = {"worst"}, .loss = "mse"};
  from.score = {.metric = "auto", .n_samples = 12, .n_samples_training = 13, .every = 14};

  from.exchange.mode = "async";
  from.exchange.max_staleness = 15;

  const coev::Settings to = settings_of(from);
  EXPECT_EQ(to.max_staleness, 15U);
  EXPECT_EQ(settings_of(small()).max_staleness, std::nullopt);
  EXPECT_EQ(to.seed, 9U);
  EXPECT_EQ(to.model.sample(), 2U);
  EXPECT_EQ(to.batch_size, 50U);
  EXPECT_EQ(to.batches_per_generation, 70U);
  EXPECT_EQ(to.generator.optimizer.kind, nn::find_optimizer("sgd"));
  EXPECT_EQ(to.generator.optimizer.beta1, 0.2);
  EXPECT_EQ(to.generator.optimizer.beta2, 0.3);
  EXPECT_EQ(to.generator.optimizer.epsilon, 0.4);
  EXPECT_EQ(to.generator.optimizer.weight_decay, 0.6);
  EXPECT_EQ(to.generator.optimizer.clip_norm, 0.7);
  EXPECT_EQ(to.generator.optimizer.clip_value, 0.8);
  EXPECT_EQ(to.generator.optimizer.weight_clip, 0.9);
  EXPECT_EQ(to.generator.optimizer.mixed, (nn::MixedPrecision{nn::Half::kFp16, 1024}));
  EXPECT_EQ(to.discriminator.optimizer.mixed, nn::MixedPrecision());
  EXPECT_EQ(to.generator.learning_rate, 0.1);
  EXPECT_EQ(to.generator.loss, nn::find_loss("bce"));
  EXPECT_EQ(to.generator.steps_per_batch, 2U);
  EXPECT_EQ(to.discriminator.optimizer.kind, nn::find_optimizer("rmsprop"));
  EXPECT_EQ(to.discriminator.learning_rate, 0.5);
  EXPECT_EQ(to.generator.n_micro_batches, 4U);
  EXPECT_EQ(to.discriminator.n_micro_batches, 2U);
  EXPECT_EQ(to.discriminator.train_every, 3U);
  EXPECT_EQ(to.generator.train_every, 5U);
  EXPECT_THAT(to.operators.loss_mutation.losses,
              ::testing::ElementsAre(nn::find_loss("bce"), nn::find_loss("mse")));
  EXPECT_EQ(to.operators.loss_mutation.per, coev::Period::kBatch);
  EXPECT_EQ(to.operators.rate_mutation.per, coev::Period::kBatch);
  EXPECT_EQ(to.operators.fitness.n_samples, 11U);
  EXPECT_EQ(to.operators.fitness.loss, nn::find_loss("mse"));
  EXPECT_EQ(to.score.n_samples, 12U);
  EXPECT_EQ(to.score.n_samples_training, 13U);
  EXPECT_EQ(to.score.every, 14U);
}

TEST(Settings, the_schedule_switches_where_it_says) {
  config::Experiment experiment = small();
  experiment.grid.neighbourhood = {{0, "cross5"}, {20, "moore9"}};
  const grid::Schedule schedule = schedule_of(experiment);
  EXPECT_EQ(schedule.at(19).name, "cross5");
  EXPECT_EQ(schedule.at(20).name, "moore9");
}

TEST(Settings, an_unknown_name_is_an_error_that_names_the_nearest) {
  config::Experiment experiment = small();
  experiment.operators.replacement.kind = "elitits";
  try {
    settings_of(experiment);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                ::testing::AllOf(::testing::HasSubstr("elitits"), ::testing::HasSubstr("elitist")));
  }
}

}  // namespace
}  // namespace lipizz::setup::settings_test
