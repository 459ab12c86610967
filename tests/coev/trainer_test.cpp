#include "coev/trainer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "coev/interrupted.hpp"
#include "coev/opponents/history.hpp"
#include "coev/support.hpp"
#include "nn/base/collectives.hpp"
#include "nn/choosy_device.hpp"
#include "nn/network/layers/dropout.hpp"

namespace lipizz::coev::trainer_test {
namespace {

const auto kAlways = [] { return true; };

// Cells 0, 1, 2 of which all are in each other's sub-population.
struct Neighbourhood {
  Settings settings;
  testing::ToyDataset dataset{testing::kTinySamples};
  std::vector<Cell> cells;

  explicit Neighbourhood(const Settings& given) : settings(given) {
    for (std::uint32_t i = 0; i < 3; ++i) cells.push_back(make_cell(settings, {i}));
  }

  Subpopulation members_of(std::size_t cell) const {
    Subpopulation members;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& member = cells[(cell + i) % cells.size()];
      members.add(member.id, member.centre);
    }
    return members;
  }

  // Trains the given cells in one group.
  std::vector<Pair> train(const std::vector<std::size_t>& group,
                          nn::Device& device = testing::host(), Generation generation = 1) const {
    std::vector<Pair> offspring;
    std::vector<Subpopulation> members;
    for (const std::size_t cell : group) {
      offspring.push_back(cells[cell].centre);
      members.push_back(members_of(cell));
    }
    std::vector<TrainingJob> jobs;
    for (std::size_t i = 0; i < group.size(); ++i) {
      jobs.push_back({cells[group[i]].id, &offspring[i], &members[i]});
    }
    RoutineTimes spent;
    Trainer trainer(device, settings, dataset, static_cast<std::uint32_t>(group.size()));
    trainer.train(jobs, generation, kAlways, spent);
    return offspring;
  }
};

void expect_near(const Genome& found, const Genome& wanted) {
  EXPECT_LT(nn::testing::relative_l2(found.parameters, wanted.parameters), 1e-3);
}

// To the bit, but where a device's library may choose by the number of models.
TEST(Trainer, does_not_depend_on_the_group) {
  Settings settings = testing::tiny_settings();
  settings.operators.rate_mutation.per = Period::kBatch;
  settings.operators.loss_mutation = {kUniformLossMutation, {0, 1, 3}, Period::kBatch};
  for (const auto& device : nn::testing::devices_and_a_choosy_one()) {
    const Neighbourhood n(settings);
    const std::vector<Pair> together = n.train({0, 1, 2}, *device);
    for (const std::size_t cell : {0, 1, 2}) {
      const Pair alone = n.train({cell}, *device)[0];
      expect_near(alone.generator, together[cell].generator);
      expect_near(alone.discriminator, together[cell].discriminator);
      if (nn::testing::chooses_by_number_of_models(*device)) continue;
      EXPECT_EQ(alone, together[cell]) << device->name();
    }
  }
}

// One of three, by the whole number that is drawn, or the partner with a probability of 0.6.
std::uint32_t drawn_opponent(const Settings& settings, const Random& random, std::uint32_t step) {
  if (settings.generator.opponents->name == "uniform") return random.below(3, step);
  return random.uniform(step, 1) < 0.6f ? 0 : 1 + random.below(2, step);
}

void expect_as_written_out_by_hand(const Settings& settings) {
  const Neighbourhood n(settings);
  const Pair trained_pair = n.train({1})[0];

  Pair pair = n.cells[1].centre;
  const Subpopulation members = n.members_of(1);
  const TrainingSamples samples(n.dataset);
  nn::GeneratorStep g_step(testing::host(), settings.model, {}, samples, 8, 1);
  nn::DiscriminatorStep d_step(testing::host(), settings.model, {}, samples, 8, 1);
  nn::UploadScope uploads(testing::host());
  const auto random = [&](Purpose p) { return Random(settings.seed, p, {1}, 1); };
  const auto order = random(Purpose::kShuffle).permutation(testing::kTinySamples);
  const auto feed = [&](Purpose noise, std::uint32_t batch) {
    return nn::StepFeed{random(noise), 8 * batch, random(Purpose::kTest), 0,
                        std::span(order).subspan(8 * batch, 8)};
  };
  const auto uploaded = [&](const Genome& genome) {
    return uploads.upload(std::span<const float>(genome.parameters));
  };
  for (std::uint32_t batch = 0; batch < 10; ++batch) {
    const auto drawn_d = drawn_opponent(settings, random(Purpose::kGeneratorOpponent), batch);
    g_step.bind(0, trained(pair.generator, upload(uploads, pair.generator)),
                uploaded(drawn_d == 0 ? pair.discriminator : members.pair(drawn_d).discriminator));
    g_step.feed(0, feed(Purpose::kGeneratorNoise, batch));
    g_step.run();
    ++pair.generator.step;
    if (batch % 2 != 0) continue;
    const auto drawn_g = drawn_opponent(settings, random(Purpose::kDiscriminatorOpponent), batch);
    d_step.bind(0, trained(pair.discriminator, upload(uploads, pair.discriminator)),
                uploaded(drawn_g == 0 ? pair.generator : members.pair(drawn_g).generator));
    d_step.feed(0, feed(Purpose::kDiscriminatorNoise, batch));
    d_step.run();
    ++pair.discriminator.step;
  }
  EXPECT_EQ(trained_pair, pair);
  EXPECT_EQ(trained_pair.generator.step, 10U);
  EXPECT_EQ(trained_pair.discriminator.step, 5U);
}

TEST(Trainer, follows_the_algorithm_as_written_out_by_hand) {
  Settings settings = testing::tiny_settings();
  settings.discriminator.train_every = 2;
  expect_as_written_out_by_hand(settings);
  settings.generator.opponents = settings.discriminator.opponents = {kPartnerShareOpponents, {0.6}};
  expect_as_written_out_by_hand(settings);
}

TEST(Trainer, is_that_of_a_cell_alone_where_all_steps_are_the_partners) {
  Neighbourhood n(testing::tiny_settings());
  n.settings.generator.opponents = {kPartnerShareOpponents, {1}};
  n.settings.discriminator.opponents = {kPartnerShareOpponents, {1}};
  const Pair among_others = n.train({0})[0];
  n.cells.resize(1);
  EXPECT_EQ(n.train({0})[0], among_others);
}

// One generator and one discriminator step for each batch, against the cell's own partner.
struct ByHand {
  const Neighbourhood& n;
  TrainingSamples samples;
  nn::GeneratorStep g_step;
  nn::DiscriminatorStep d_step;
  Pair pair;
  Generation generation = 1;
  std::vector<std::uint32_t> order;

  explicit ByHand(const Neighbourhood& neighbourhood)
      : n(neighbourhood),
        samples(n.dataset),
        g_step(testing::host(), n.settings.model, {}, samples, 8, 1, n.settings.steps),
        d_step(testing::host(), n.settings.model, {}, samples, 8, 1, n.settings.steps),
        pair(n.cells[0].centre),
        order(pass(1)) {}

  [[nodiscard]] Random random(Purpose purpose) const {
    return Random(n.settings.seed, purpose, {0}, generation);
  }
  // The samples of a pass over 10 whole batches.
  [[nodiscard]] std::vector<std::uint32_t> pass(Generation number) const {
    auto all =
        Random(n.settings.seed, Purpose::kShuffle, {0}, number).permutation(testing::kTinySamples);
    all.resize(80);
    return all;
  }
  // The row of noise that a batch begins with asks for the classes in turn, too.
  [[nodiscard]] nn::StepFeed feed(Purpose noise, Purpose uniforms, std::uint32_t batch) const {
    return {random(noise), 8 * batch, random(uniforms), batch,
            std::span(order).subspan(8 * batch, 8)};
  }
  Pair train() {
    nn::UploadScope uploads(testing::host());
    for (std::uint32_t batch = 0; batch < order.size() / 8; ++batch) {
      const UploadedGenome g = upload(uploads, pair.generator);
      const UploadedGenome d = upload(uploads, pair.discriminator);
      g_step.bind(0, trained(pair.generator, g), d.parameters);
      g_step.feed(0, feed(Purpose::kGeneratorNoise, Purpose::kGeneratorUniforms, batch));
      g_step.run();
      ++pair.generator.step;
      d_step.bind(0, trained(pair.discriminator, d), g.parameters);
      d_step.feed(0, feed(Purpose::kDiscriminatorNoise, Purpose::kDiscriminatorUniforms, batch));
      d_step.run();
      ++pair.discriminator.step;
    }
    return pair;
  }
};

TEST(Trainer, tells_the_networks_the_classes_of_their_rows) {
  Neighbourhood n(testing::class_conditional_settings());
  n.cells.resize(1);
  n.dataset = testing::ToyDataset(testing::kTinySamples, testing::kTinyClasses);
  EXPECT_EQ(n.train({0})[0], ByHand(n).train());
}

TEST(Trainer, gives_generators_of_pairs_the_conditions_of_the_batch) {
  Neighbourhood n(testing::paired_settings());
  n.cells.resize(1);
  n.dataset = testing::ToyDataset(testing::kTinySamples, 0, 1);
  EXPECT_EQ(n.train({0})[0], ByHand(n).train());
}

// Generations have 4 batches where a pass has 10, so that the third one ends a pass and begins
// another.
TEST(Trainer, a_generation_goes_on_with_the_pass_of_the_last_one) {
  Neighbourhood n(testing::tiny_settings());
  n.settings.batches_per_generation = 4;
  n.cells.resize(1);
  ByHand by_hand(n);
  by_hand.generation = 3;
  const auto second = by_hand.pass(2);
  by_hand.order.erase(by_hand.order.begin(), by_hand.order.begin() + 64);
  by_hand.order.insert(by_hand.order.end(), second.begin(), second.begin() + 16);
  EXPECT_EQ(n.train({0}, testing::host(), 3)[0], by_hand.train());
}

TEST(Trainer, draws_random_numbers_of_its_own_for_each_step_and_keeps_an_average) {
  Settings settings = testing::tiny_settings();
  settings.model.discriminator.layers.insert(settings.model.discriminator.layers.begin() + 1,
                                             {.kind = &nn::kDropoutLayer, .rate = 0.5f});
  settings.steps.penalty = &nn::find_penalty("wgan-gp");
  settings.steps.average_decay = 0.9;
  Neighbourhood n(settings);
  n.cells.resize(1);
  const Pair found = n.train({0})[0];
  EXPECT_EQ(found, ByHand(n).train());
  EXPECT_EQ(n.cells[0].centre.generator.average, n.cells[0].centre.generator.parameters);
  EXPECT_NE(found.generator.average, n.cells[0].centre.generator.average);
  EXPECT_NE(found.generator.average, found.generator.parameters);
  EXPECT_TRUE(found.discriminator.average.empty());
}

// A scale of 65536 is too much for the derivative that a penalty is of.
TEST(Trainer, a_loss_scale_goes_on_where_the_generation_before_left_it) {
  Settings settings = testing::tiny_settings();
  settings.discriminator.optimizer.mixed = {nn::Half::kFp16};
  settings.steps.penalty = &nn::find_penalty("r1");
  Neighbourhood n(settings);
  const Genome first = n.train({0})[0].discriminator;
  const std::uint32_t n_skipped = 10 - first.step;
  EXPECT_GT(n_skipped, 0U);
  EXPECT_EQ(first.loss_scale[0], std::ldexp(65536.0F, -static_cast<int>(n_skipped)));
  EXPECT_EQ(first.loss_scale[1], static_cast<float>(first.step));
  n.cells[0].centre.discriminator = first;
  const Genome second = n.train({0}, testing::host(), 2)[0].discriminator;
  EXPECT_EQ(second.step, first.step + 10);
  EXPECT_EQ(second.loss_scale[0], first.loss_scale[0]);
  EXPECT_EQ(second.loss_scale[1], first.loss_scale[1] + 10);
}

// Z-4: Adam's two moments, eight bytes for each parameter, are not on the device.
TEST(Trainer, z4_moments_on_the_host_take_no_memory_of_the_device) {
  Settings settings = testing::tiny_settings();
  settings.model = nn::make_model("mlp-2d");
  const auto most_on_device = [&settings](bool moments_on_host) {
    settings.generator.optimizer.moments_on_host = moments_on_host;
    settings.discriminator.optimizer.moments_on_host = moments_on_host;
    nn::testing::FarDevice device({.make_kernel = nn::testing::make_host_kernel});
    Neighbourhood(settings).train({0}, device);
    EXPECT_EQ(device.n_elements, 0U);
    return static_cast<double>(device.most_elements);
  };
  const auto n =
      static_cast<double>(nn::parameter_layout(settings.model.generator).n_parameters +
                          nn::parameter_layout(settings.model.discriminator).n_parameters);
  EXPECT_NEAR((most_on_device(false) - most_on_device(true)) / n, 2, 0.01);
}

TEST(Trainer, trains_a_generator_on_every_nth_batch_from_the_first) {
  Settings settings = testing::tiny_settings();
  settings.generator.train_every = 4;  // batches 0, 4 and 8 of 10
  const Pair pair = Neighbourhood(settings).train({0})[0];
  EXPECT_EQ(pair.generator.step, 3U);
  EXPECT_EQ(pair.discriminator.step, 10U);
}

TEST(Trainer, counts_batches_over_all_generations) {
  Settings settings = testing::tiny_settings();
  settings.generator.train_every = 4;  // in the second generation batches 12 and 16 of 10 to 19
  const Pair pair = Neighbourhood(settings).train({0}, testing::host(), 2)[0];
  EXPECT_EQ(pair.generator.step, 2U);
  EXPECT_EQ(pair.discriminator.step, 10U);
}

TEST(Trainer, makes_as_many_steps_per_batch_as_asked_for_each_network) {
  Settings settings = testing::tiny_settings();
  settings.generator.steps_per_batch = 2;
  settings.discriminator.steps_per_batch = 3;
  settings.discriminator.train_every = 4;  // batches 0, 4 and 8 of 10
  const Pair pair = Neighbourhood(settings).train({0})[0];
  EXPECT_EQ(pair.generator.step, 20U);
  EXPECT_EQ(pair.discriminator.step, 9U);
}

TEST(Trainer, gives_every_cell_and_generation_a_stream_of_its_own) {
  Neighbourhood n(testing::tiny_settings());
  for (Cell& cell : n.cells) cell.centre = n.cells[0].centre;  // only the streams differ
  const std::vector<Pair> trained_pairs = n.train({0, 1, 2});
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
    EXPECT_NE(trained_pairs[a].generator.parameters, trained_pairs[b].generator.parameters);
    EXPECT_NE(trained_pairs[a].discriminator.parameters, trained_pairs[b].discriminator.parameters);
  }
  EXPECT_NE(n.train({0}, testing::host(), 2)[0].generator.parameters,
            trained_pairs[0].generator.parameters);
}

TEST(Trainer, moves_nothing_at_rate_zero) {
  Settings settings = testing::tiny_settings();
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  settings.operators.rate_mutation.per = Period::kBatch;
  const Neighbourhood n(settings);
  const Pair pair = n.train({0})[0];
  EXPECT_EQ(pair.generator.parameters, n.cells[0].centre.generator.parameters);
  EXPECT_EQ(pair.discriminator.parameters, n.cells[0].centre.discriminator.parameters);
  EXPECT_NE(pair.generator.moments, n.cells[0].centre.generator.moments);  // it did train
}

// The offspring of a cell that is alone, after a generation that begins with its start.
Pair trained_alone(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                   CellId id, Generation generation) {
  std::vector<Cell> cells{make_cell(settings, id)};
  Pair offspring = cells[0].centre;
  const Subpopulation alone = testing::subpopulation(cells);
  const TrainingJob job{id, &offspring, &alone};
  RoutineTimes spent;
  Trainer(device, settings, dataset, 1).train({&job, 1}, generation, kAlways, spent);
  return offspring;
}

class Listening final : public testing::ToyDataset {
 public:
  using ToyDataset::ToyDataset;
  void expect_train(std::span<const std::uint32_t> indices) const override {
    seen.insert(indices.begin(), indices.end());
    n_seen += indices.size();
  }
  mutable std::set<std::uint32_t> seen;
  mutable std::size_t n_seen = 0;
};

// There are ten rows in a batch, of which the second of two ranks reads 5 to 9 in the generator's
// steps, and in the discriminator's 3 to 5 and 8 to 9.
TEST(Trainer, expects_the_rows_that_a_rank_reads_in_the_steps_of_either_network) {
  Settings settings = testing::tiny_settings();
  settings.batch_size = 10;
  settings.batches_per_generation = 1;
  const auto n_expected = [&](std::uint32_t of_g, std::uint32_t of_d) {
    settings.generator.n_micro_batches = of_g;
    settings.discriminator.n_micro_batches = of_d;
    nn::NoRanks second(2, 1);
    nn::Engine engine;
    engine.collectives = &second;
    nn::HostDevice device(engine);
    const Listening dataset(testing::kTinySamples);
    trained_alone(device, settings, dataset, {0}, 1);
    EXPECT_EQ(dataset.seen.size(), dataset.n_seen) << "each of them once";
    return dataset.n_seen;
  };
  EXPECT_EQ(n_expected(2, 2), 5U);
  EXPECT_EQ(n_expected(2, 4), 7U);
  EXPECT_EQ(n_expected(4, 4), 5U);
}

// Each cell's share is its own, and the same in every pass.
TEST(Trainer, on_a_share_of_the_data_sees_no_other_sample) {
  Settings settings = testing::tiny_settings();
  settings.data_share = 0.25;
  const auto samples_of = [&](std::uint32_t id, Generation generation) {
    const Listening dataset(testing::kTinySamples);
    trained_alone(testing::host(), settings, dataset, {id}, generation);
    return dataset.seen;
  };
  const std::set<std::uint32_t> seen = samples_of(0, 1);
  EXPECT_LE(seen.size(), testing::kTinySamples / 4);
  EXPECT_GE(seen.size(), testing::kTinySamples / 4 - settings.batch_size);
  std::set<std::uint32_t> later = samples_of(0, 2);
  later.insert(seen.begin(), seen.end());
  EXPECT_LE(later.size(), testing::kTinySamples / 4);
  EXPECT_NE(samples_of(1, 1), seen);
}

TEST(Trainer, follows_the_schedule_of_each_network) {
  Settings settings = testing::tiny_settings();
  settings.generator.schedule = {kLinearSchedule, {0, 1, 0, 0}};
  const auto moved = [&](Generation generation, NetworkRole role) {
    const testing::ToyDataset dataset(testing::kTinySamples);
    const Pair offspring = trained_alone(testing::host(), settings, dataset, {0}, generation);
    const Pair before = make_cell(settings, {0}).centre;
    return genome(offspring, role).parameters != genome(before, role).parameters;
  };
  EXPECT_TRUE(moved(1, NetworkRole::kGenerator));
  EXPECT_FALSE(moved(2, NetworkRole::kGenerator));  // its rate has come to nothing
  EXPECT_TRUE(moved(2, NetworkRole::kDiscriminator));
}

// Against a past generator alone, a discriminator becomes what it does against a neighbour's that
// is the same.
TEST(Trainer, a_network_of_the_past_is_an_opponent_as_a_neighbours_is) {
  Settings settings = testing::tiny_settings();
  settings.generator.learning_rate = 0;
  const testing::ToyDataset dataset(testing::kTinySamples);
  std::vector<Cell> cells{make_cell(settings, {0}), make_cell(settings, {1})};
  const History past{.generator = {cells[1].centre.generator.parameters}};
  const auto trained = [&](const Configured<Opponents>& opponents, std::size_t n_members,
                           const History* history) {
    settings.discriminator.opponents = opponents;
    Subpopulation members;
    for (std::size_t i = 0; i < n_members; ++i) members.add(cells[i].id, cells[i].centre);
    Trainer trainer(testing::host(), settings, dataset, 1);
    Pair offspring = cells[0].centre;
    const TrainingJob job{{0}, &offspring, &members, history};
    RoutineTimes spent;
    trainer.train({&job, 1}, 1, kAlways, spent);
    return offspring.discriminator;
  };
  const Genome of_past = trained({kHistoryOpponents, {0, 1, 1}}, 1, &past);
  EXPECT_EQ(of_past, trained({kPartnerShareOpponents, {0}}, 2, nullptr));
  EXPECT_NE(of_past, trained({kHistoryOpponents, {0, 1, 1}}, 1, nullptr));
}

TEST(Trainer, uses_the_mutated_rate) {
  Settings settings = testing::tiny_settings();
  settings.batch_size = testing::kTinySamples;
  settings.generator.optimizer = {.kind = nn::find_optimizer("sgd"), .beta1 = 0};
  settings.discriminator.optimizer = settings.generator.optimizer;
  settings.operators.rate_mutation = {kNoRateMutation, Period::kBatch};
  const Pair start = Neighbourhood(settings).cells[0].centre;
  const Pair plain = Neighbourhood(settings).train({0})[0];
  settings.operators.rate_mutation.mutation = {kLogNormalRateMutation, {0.5, 1}};
  const Pair mutated = Neighbourhood(settings).train({0})[0];

  const double factor = mutated.generator.learning_rate / 1e-2;
  EXPECT_GT(std::abs(factor - 1), 0.05);  // or the test would show nothing
  const auto moved = [](const Genome& from, const Genome& to, std::size_t i) {
    return double{to.parameters[i]} - from.parameters[i];
  };
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_NEAR(moved(start.generator, mutated.generator, i),
                factor * moved(start.generator, plain.generator, i), 1e-7);
  }
}

TEST(Trainer, mutates_rates_before_each_batch_on_which_a_network_trains) {
  Settings settings = testing::tiny_settings();
  settings.operators.rate_mutation = {{kGaussianRateMutation, {0.1, 0.5, 0.1}}, Period::kBatch};
  settings.discriminator.train_every = 2;
  const Pair pair = Neighbourhood(settings).train({1})[0];
  double g_rate = 1e-2;
  double d_rate = 1e-2;
  for (std::uint32_t batch = 0; batch < 10; ++batch) {
    const auto mutate = [&](double rate, Purpose purpose) {
      const Random random(settings.seed, purpose, {1}, 1);
      const std::vector<double> values{0.1, 0.5, 0.1};
      return kGaussianRateMutation.mutate({rate, 1e-2, random, batch}, values);
    };
    g_rate = mutate(g_rate, Purpose::kGeneratorRate);
    if (batch % 2 == 0) d_rate = mutate(d_rate, Purpose::kDiscriminatorRate);
  }
  EXPECT_EQ(pair.generator.learning_rate, g_rate);
  EXPECT_EQ(pair.discriminator.learning_rate, d_rate);
  EXPECT_NE(g_rate, 1e-2);
}

TEST(Trainer, is_different_under_each_loss) {
  constexpr std::array<std::string_view, 8> kNames{"bce",   "minimax", "heuristic",   "mse",
                                                   "lsgan", "hinge",   "wasserstein", "pix2pix"};
  std::vector<Pair> results;
  for (const std::string_view name : kNames) {
    const nn::LossId loss = nn::find_loss(name);
    Settings settings = testing::tiny_settings();
    settings.generator.loss = loss;
    settings.discriminator.loss = loss;
    // Adam would hide a factor between two losses; plain gradient descent does not.
    settings.generator.optimizer = {.kind = nn::find_optimizer("sgd"), .beta1 = 0};
    settings.discriminator.optimizer = settings.generator.optimizer;
    results.push_back(Neighbourhood(settings).train({0})[0]);
  }
  for (std::size_t a = 0; a < results.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      // Between logits of -1 and 1, which these networks do not leave, they are one.
      if (kNames[a] == "wasserstein" && kNames[b] == "hinge") continue;
      EXPECT_NE(results[a].generator.parameters, results[b].generator.parameters)
          << kNames[a] << ", " << kNames[b];
    }
  }
}

TEST(Trainer, ends_before_the_next_batch_when_it_is_told_to) {
  const Neighbourhood n(testing::tiny_settings());
  Pair pair = n.cells[0].centre;
  const Subpopulation members = n.members_of(0);
  const TrainingJob job{{0}, &pair, &members};
  Trainer trainer(testing::host(), n.settings, n.dataset, 1);
  RoutineTimes spent;
  int n_asked = 0;
  EXPECT_THROW(trainer.train(
                   {&job, 1}, 1, [&] { return ++n_asked <= 4; }, spent),
               Interrupted);
  EXPECT_EQ(pair.generator.step, 4U);
}

}  // namespace
}  // namespace lipizz::coev::trainer_test
