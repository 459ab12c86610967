#include <gmock/gmock.h>

#include <filesystem>

#include "config/fields.hpp"
#include "config/json.hpp"

namespace lipizz::config::configs_test {
namespace {

const std::filesystem::path kConfigs = std::filesystem::path(LIPIZZ_SOURCE_DIR) / "configs";

Experiment load(const std::filesystem::path& file) {
  Experiment experiment;
  apply_file(file, experiment);
  return experiment;
}

TEST(Configs, each_is_named_after_its_file) {
  int n_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.is_directory()) continue;
    const Experiment experiment = load(entry.path());
    EXPECT_EQ(experiment.name, entry.path().stem().string());
    ++n_files;
  }
  EXPECT_GE(n_files, 15);
}

// The originals' published MNIST settings.
TEST(Configs, lipizzaner_and_mustangs_are_as_published) {
  for (const char* name : {"lipizzaner-mnist.json", "mustangs-mnist.json"}) {
    const Experiment e = load(kConfigs / name);
    EXPECT_EQ(e.generations, 200U);
    EXPECT_EQ(e.data.dataset, "mnist");
    EXPECT_EQ(e.data.batch_size, 100U);
    EXPECT_EQ(e.discriminator.steps.every, 2U);
    EXPECT_EQ(e.operators.selection, (Operator{"none"}));
    EXPECT_EQ(e.operators.replacement, (Operator{"generational"}));
    EXPECT_EQ(e.operators.rate_mutation,
              (RateMutation{{"gaussian", {{"alpha", 1e-4}, {"probability", 0.5}}}, "batch"}));
    EXPECT_EQ(e.operators.fitness,
              (Fitness{.n_samples = 1000, .aggregation = {"average"}, .loss = "bce"}));
    EXPECT_EQ(e.operators.mixture,
              (Operator{"evolution-strategy", {{"sigma", 0.01}, {"tries", 1}}}));
    Training published{.optimizer = "adam",
                       .learning_rate = 2e-4,
                       .betas = {0.5, 0.999},
                       .epsilon = 1e-8,
                       .loss = "bce",
                       .opponents = {"uniform"}};
    EXPECT_EQ(Training(e.generator), published);
    published.steps.every = 2;
    EXPECT_EQ(Training(e.discriminator), published);
    EXPECT_EQ(e.generator.average_decay, 0);
    EXPECT_EQ(e.discriminator.penalty, "none");
  }
  EXPECT_EQ(load(kConfigs / "lipizzaner-mnist.json").operators.loss_mutation, LossMutation{});
  const LossMutation mustangs = load(kConfigs / "mustangs-mnist.json").operators.loss_mutation;
  EXPECT_EQ(mustangs.mutation, (Operator{"uniform"}));
  EXPECT_EQ(mustangs.losses.size(), 3U);
}

TEST(Configs, schedules_of_our_own_end_with_the_run) {
  for (const char* name : {"quickstart.json", "fashion-mnist.json", "stacked-mnist.json",
                           "cifar10.json", "ring8.json", "grid25.json"}) {
    const Experiment e = load(kConfigs / name);
    for (const Training& network : {Training(e.generator), Training(e.discriminator)}) {
      EXPECT_EQ(network.schedule.kind, "cosine") << name;
      EXPECT_THAT(network.schedule.parameters,
                  ::testing::Contains(std::pair("generations", 1.0 * e.generations)))
          << name;
    }
  }
}

TEST(Configs, recipes_of_papers_without_penalties_have_none) {
  for (const char* name : {"dcgan-mnist.json", "dcgan-glyphs.json", "dcgan-conditional-mnist.json",
                           "dcgan-conditional-glyphs.json", "wgan-mnist.json", "sngan-cifar10.json",
                           "biggan-cifar10.json", "pix2pix-facades.json"}) {
    EXPECT_EQ(load(kConfigs / name).discriminator.penalty, "none") << name;
  }
}

TEST(Configs, recipes_of_papers_without_averages_have_none) {
  for (const char* name : {"dcgan-mnist.json", "dcgan-glyphs.json", "wgan-mnist.json",
                           "wgan-gp-mnist.json", "pix2pix-facades.json"}) {
    EXPECT_EQ(load(kConfigs / name).generator.average_decay, 0) << name;
  }
}

// docs/recipes.md says what else differs from the papers.
TEST(Configs, recipes_have_the_published_optimizers) {
  const Experiment sngan = load(kConfigs / "sngan-cifar10.json");
  const Experiment biggan = load(kConfigs / "biggan-cifar10.json");
  for (const Experiment& e : {sngan, biggan}) {
    EXPECT_TRUE(e.data.class_conditional);
    EXPECT_EQ(e.generator.average_decay, 0.9999);
    EXPECT_EQ(e.generator.loss, "hinge");
  }
  const Operator to_nothing{"linear", {{"generations", 320}, {"rate", 0}}};
  EXPECT_EQ(
      Training(sngan.discriminator),
      (Training{
          .learning_rate = 2e-4, .schedule = to_nothing, .betas = {0, 0.9}, .loss = "hinge"}));
  EXPECT_EQ(Training(biggan.discriminator),
            (Training{.learning_rate = 2e-4, .betas = {0, 0.999}, .loss = "hinge"}));
  EXPECT_EQ(sngan.generator.steps.every, 5U);
  EXPECT_EQ(biggan.generator.steps.every, 4U);
  const Experiment wgan = load(kConfigs / "wgan-mnist.json");
  EXPECT_EQ(Training(wgan.discriminator), (Training{.optimizer = "rmsprop",
                                                    .learning_rate = 5e-5,
                                                    .betas = {.second = 0.99},
                                                    .loss = "wasserstein",
                                                    .clip = {.weights = 0.01}}));
  const Experiment penalised = load(kConfigs / "wgan-gp-mnist.json");
  EXPECT_EQ(Training(penalised.discriminator),
            (Training{.learning_rate = 1e-4, .betas = {.second = 0.9}, .loss = "wasserstein"}));
  EXPECT_EQ(wgan.generator.steps.every, 5U);
  EXPECT_EQ(penalised.generator.steps.every, 5U);
  EXPECT_EQ(penalised.discriminator.penalty, "wgan-gp");
  EXPECT_EQ(penalised.discriminator.penalty_weight, 10);
  const Experiment pix2pix = load(kConfigs / "pix2pix-facades.json");
  const Operator second_half{"linear", {{"begin", 100}, {"generations", 200}, {"rate", 0}}};
  EXPECT_EQ(Training(pix2pix.generator), (Training{.learning_rate = 2e-4,
                                                   .schedule = second_half,
                                                   .loss = "pix2pix",
                                                   .opponents = {"partner"}}));
  EXPECT_EQ(pix2pix.generator.l1_weight, 100);
  EXPECT_EQ(pix2pix.data.batch_size, 1U);
}

TEST(Configs, glyphs_spells_out_the_defaults) {
  Experiment experiment = load(kConfigs / "glyphs.json");
  experiment.name = Experiment{}.name;
  for (const Field& field : fields(experiment)) {  // tests/setup/operators_test.cpp has these
    if (auto* const* chosen = std::get_if<Operator*>(&field.value)) (*chosen)->parameters.clear();
  }
  EXPECT_EQ(experiment, Experiment{});
}

}  // namespace
}  // namespace lipizz::config::configs_test
