#include "worker/translate.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::worker {
namespace {

config::Experiment small() {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  return experiment;
}

TEST(Translate, hands_every_setting_on) {
  config::Experiment from = small();
  from.seed = 9;
  from.data.batch_size = 50;
  from.data.batches_per_generation = 70;
  from.partner_share = 0.25;
  from.generator = {{.optimizer = "sgd",
                     .learning_rate = 0.1,
                     .beta1 = 0.2,
                     .beta2 = 0.3,
                     .epsilon = 0.4,
                     .loss = "bce",
                     .steps_per_batch = 2},
                    0.99,
                    50};
  from.discriminator.penalty = "r1";
  from.discriminator.penalty_weight = 4;
  from.augmentation = {"cutout"};
  from.discriminator.learning_rate = 0.5;
  from.discriminator.optimizer = "rmsprop";
  from.discriminator.train_every = 3;
  from.generator.train_every = 5;
  from.loss_mutation = {.losses = {"bce", "mse"}, .per = "batch"};
  from.rate_mutation = {.kind = "gaussian", .alpha = 0.6, .probability = 0.7, .per = "batch"};
  from.fitness = {.n_samples = 11, .mode = "worst", .loss = "mse"};
  from.selection.tournament_size = 4;
  from.replacement = "generational";
  from.mixture = {.evolve = false, .sigma = 0.8, .tries = 5};
  from.score = {.metric = "auto", .n_samples = 12, .n_samples_training = 13, .every = 14};

  from.exchange = "async";
  from.max_staleness = 15;

  const coev::Settings to = settings_of(from);
  EXPECT_EQ(to.max_staleness, 15U);
  EXPECT_EQ(settings_of(small()).max_staleness, std::nullopt);
  EXPECT_EQ(to.seed, 9U);
  EXPECT_EQ(to.model.sample(), 2U);
  EXPECT_EQ(to.batch_size, 50U);
  EXPECT_EQ(to.batches_per_generation, 70U);
  EXPECT_EQ(to.partner_share, 0.25);
  EXPECT_EQ(to.generator.optimizer.kind, nn::OptimizerKind::kSgd);
  EXPECT_EQ(to.generator.optimizer.beta1, 0.2);
  EXPECT_EQ(to.generator.optimizer.beta2, 0.3);
  EXPECT_EQ(to.generator.optimizer.epsilon, 0.4);
  EXPECT_EQ(to.generator.learning_rate, 0.1);
  EXPECT_EQ(to.generator.loss, nn::find_loss("bce"));
  EXPECT_EQ(to.generator.steps_per_batch, 2U);
  EXPECT_EQ(to.discriminator.optimizer.kind, nn::OptimizerKind::kRmsProp);
  EXPECT_EQ(to.discriminator.learning_rate, 0.5);
  EXPECT_EQ(to.discriminator.train_every, 3U);
  EXPECT_EQ(to.generator.train_every, 5U);
  EXPECT_THAT(to.loss_mutation.losses,
              testing::ElementsAre(nn::find_loss("bce"), nn::find_loss("mse")));
  EXPECT_EQ(to.loss_mutation.per, coev::Period::kBatch);
  EXPECT_EQ(to.rate_mutation.kind, coev::RateMutationKind::kGaussian);
  EXPECT_EQ(to.rate_mutation.alpha, 0.6);
  EXPECT_EQ(to.rate_mutation.probability, 0.7);
  EXPECT_EQ(to.rate_mutation.per, coev::Period::kBatch);
  EXPECT_EQ(to.fitness.n_samples, 11U);
  EXPECT_EQ(to.fitness.mode, coev::FitnessMode::kWorst);
  EXPECT_EQ(to.fitness.loss, nn::find_loss("mse"));
  EXPECT_EQ(to.tournament_size, 4U);
  EXPECT_EQ(to.replacement, coev::Replacement::kGenerational);
  EXPECT_FALSE(to.mixture.evolve);
  EXPECT_EQ(to.mixture.sigma, 0.8);
  EXPECT_EQ(to.mixture.tries, 5U);
  EXPECT_EQ(to.score.n_samples, 12U);
  EXPECT_EQ(to.score.n_samples_training, 13U);
  EXPECT_EQ(to.score.every, 14U);
}

TEST(Translate, the_schedule_switches_where_it_says) {
  config::Experiment experiment = small();
  experiment.neighbourhood = {{0, "cross5"}, {20, "moore9"}};
  const grid::Schedule schedule = schedule_of(experiment);
  EXPECT_EQ(schedule.at(19).name, "cross5");
  EXPECT_EQ(schedule.at(20).name, "moore9");
}

TEST(Translate, an_unknown_name_is_an_error_that_names_the_nearest) {
  config::Experiment experiment = small();
  experiment.replacement = "elitits";
  try {
    settings_of(experiment);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("elitits"), testing::HasSubstr("elitist")));
  }
}

TEST(Translate, auto_is_resolved_and_what_is_not_there_refused) {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  const config::Experiment result = resolved(experiment);
  EXPECT_EQ(result.model.name, "mlp-2d");
  EXPECT_TRUE(nn::is_available(nn::parse_backend(result.engine)));
}

TEST(Translate, the_table_of_convolutions_is_the_file_s_or_the_build_s) {
  config::Experiment experiment = small();
  EXPECT_EQ(convolutions_of(experiment).hash(), nn::ConvolutionTable::committed().hash());
  experiment.convolution_table_hash = to_hex(nn::ConvolutionTable::committed().hash());
  EXPECT_NO_THROW(convolutions_of(experiment));
  experiment.convolution_table_hash = "0123456789abcdef";
  EXPECT_THROW(convolutions_of(experiment), ConfigError);
  experiment.convolution_table = "/nowhere";
  EXPECT_THROW(convolutions_of(experiment), ConfigError);
}

TEST(Translate, a_table_of_convolutions_for_the_engine_that_has_one_way_is_refused) {
  config::Experiment experiment = small();
  experiment.engine = "reference";
  EXPECT_NO_THROW(resolved(experiment));
  experiment.convolution_table = "table.json";
  EXPECT_THROW(resolved(experiment), ConfigError);
}

TEST(Translate, the_reference_engine_offers_the_baseline_alone) {
  config::Experiment experiment = small();
  experiment.engine = "reference";
  EXPECT_THAT(numerics_levels(experiment), testing::ElementsAre("baseline"));
}

}  // namespace
}  // namespace lipizz::worker
