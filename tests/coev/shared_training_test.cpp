#include "coev/shared_training.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <thread>
#include <utility>

#include "coev/opponents/history.hpp"
#include "coev/support.hpp"
#include "comm/test_world.hpp"
#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/train/rank_parts.hpp"
#include "parallel/cell_collectives.hpp"
#include "parallel/cell_pipeline.hpp"
#include "parallel/world_link.hpp"

namespace lipizz::coev::shared_training_test {
namespace {

const auto kAlways = [] { return true; };

// A cell with two neighbours and a past.
struct Neighbourhood {
  explicit Neighbourhood(std::uint32_t n_micro_batches = 1,
                         const Settings& from = testing::tiny_settings())
      : settings(from) {
    settings.generator.n_micro_batches = settings.discriminator.n_micro_batches = n_micro_batches;
    settings.generator.opponents = {kHistoryOpponents};
    settings.discriminator.opponents = {kHistoryOpponents};
    settings.operators.rate_mutation.per = Period::kBatch;
    settings.operators.loss_mutation = {kUniformLossMutation, {0, 1, 3}, Period::kBatch};
    for (std::uint32_t i = 0; i < 3; ++i) cells.push_back(make_cell(settings, {i}));
    for (const Cell& cell : cells) members.add(cell.id, cell.centre);
    for (const NetworkRole role : kNetworkRoles) {
      history[role].push_back(genome(cells[2].centre, role).parameters);
    }
    settings.generator.optimizer.mixed = {nn::Half::kFp16};
    offspring = cells[0].centre;
    offspring.generator.loss_scale = {512, 9};
    offspring.generator.step = 7;
    offspring.discriminator.learning_rate = 0.25;
    for (const NetworkRole role : kNetworkRoles) {
      const std::span<float> moments = genome(offspring, role).moments.writable();
      for (std::size_t i = 0; i < moments.size(); ++i) moments[i] = 1 / (1 + static_cast<float>(i));
    }
  }
  std::array<TrainingJob, 1> jobs() { return {{{{0}, &offspring, &members, &history, 1}}}; }

  Settings settings;
  testing::ToyDataset dataset{testing::kTinySamples};
  std::vector<Cell> cells;
  Subpopulation members;
  History history;
  Pair offspring;
};

// A rank's collectives, and a device with them.
struct Helped {
  Helped(comm::Communicator& world, std::uint32_t n_stages, const nn::NetworkCuts& cuts = {})
      : link(world), ranks(link), pipelined(link, {.n_stages = n_stages, .cuts = cuts}) {
    engine = nn::testing::fastest_engine();
    if (ranks.size() > 1) engine.collectives = &ranks;
    engine.pipeline = &pipelined.pipeline();
    device.emplace(engine);
  }
  parallel::WorldLink link;
  parallel::CellCollectives ranks;
  parallel::CellPipeline pipelined;
  nn::Engine engine;
  std::optional<nn::HostDevice> device;
};

// The part of a network that a rank holds.
std::vector<float> held(const nn::RankParts& parts, std::uint32_t rank,
                        std::span<const float> network) {
  std::vector<float> values;
  for (const auto& part : parts.held) {
    const auto of_part = network.subspan(part[rank].first, part[rank].n);
    values.insert(values.end(), of_part.begin(), of_part.end());
  }
  return values;
}

void expect_held(const nn::RankParts& parts, std::uint32_t rank, std::span<const float> found,
                 std::span<const float> whole) {
  EXPECT_TRUE(std::ranges::equal(found, held(parts, rank, whole)));
}

// The other ranks of a cell hold what the first one does, or their stages or shards of it.
TEST(SharedTraining, hands_each_rank_what_it_holds) {
  using enum nn::ZeroStage;
  struct Case {
    int n_ranks;
    std::uint32_t n_stages = 1;
    nn::ZeroStage zero = kMoments;
    nn::NetworkCuts cuts{};
  };
  for (const Case& how : {Case{2},
                          {3},
                          {3, 3},
                          {4, 2},
                          {2, 1, kParameters},
                          {3, 1, kParameters},
                          {3, 1, kNothing},
                          {2, 2, kMoments, {1, 1}},
                          {4, 2, kParameters, {1, 1}},
                          {3, 3, kMoments, {2, 1}}}) {
    comm::run_on_threads(how.n_ranks, [&how](comm::Communicator world) {
      Helped here(world, how.n_stages, how.cuts);
      Neighbourhood n(here.ranks.size());
      n.settings.generator.optimizer.zero = how.zero;
      if (here.ranks.rank() == 0) return share_training(*here.device, n.settings, n.jobs(), 5);
      Bytes bytes;
      here.ranks.broadcast(bytes);
      ReceivedTraining received(bytes, n.settings);
      received.take_values(*here.device, n.settings);
      EXPECT_EQ(received.generation(), 5U);
      const std::vector<TrainingJob> jobs = received.jobs();
      ASSERT_EQ(jobs.size(), 1U);
      EXPECT_EQ(jobs[0].cell, CellId{0});
      EXPECT_EQ(jobs[0].number, 1U);
      ASSERT_EQ(jobs[0].opponents->size(), 3U);
      const std::uint32_t rank = here.ranks.rank();
      std::size_t n_floats = 0;
      const nn::PairStages stages = nn::pair_stages(n.settings.model, here.device->pipeline());
      for (const NetworkRole role : kNetworkRoles) {
        const nn::NetworkStages& of_role =
            role == NetworkRole::kGenerator ? stages.generator : stages.discriminator;
        const nn::RankParts parts =
            nn::rank_parts(of_role, network_settings(n.settings, role).optimizer,
                           step_options(n.settings, role), here.ranks.size());
        const Genome& own = genome(*jobs[0].offspring, role);
        const Genome& wanted = genome(n.offspring, role);
        EXPECT_EQ(std::pair(own.learning_rate, own.loss),
                  std::pair(wanted.learning_rate, wanted.loss));
        EXPECT_EQ(std::pair(own.step, own.origin), std::pair(wanted.step, wanted.origin));
        EXPECT_EQ(own.loss_scale, wanted.loss_scale);
        expect_held(parts, rank, own.parameters, wanted.parameters);
        const std::size_t n_moment = parts.moments[rank].n;
        ASSERT_EQ(own.moments.size(), 2 * n_moment);
        for (std::size_t m = 0; m < 2; ++m) {
          EXPECT_TRUE(std::ranges::equal(
              std::span(own.moments).subspan(m * n_moment, n_moment),
              std::span(wanted.moments)
                  .subspan(m * wanted.parameters.size() + parts.moments[rank].first, n_moment)));
        }
        n_floats +=
            (3 + history_spec(n.settings, role).size) * own.parameters.size() + own.moments.size();
        ASSERT_EQ((*jobs[0].history)[role].size(), 1U);
        expect_held(parts, rank, (*jobs[0].history)[role][0], n.history[role][0]);
        for (std::size_t member = 1; member < 3; ++member) {
          expect_held(parts, rank, jobs[0].opponents->networks(role)[member],
                      n.members.networks(role)[member]);
        }
      }
      const std::size_t n_bytes =
          training_bytes(n.settings, 3, here.ranks, here.device->pipeline(), rank);
      EXPECT_EQ(n_bytes, n_floats * sizeof(float));
    });
  }
}

TEST(SharedTraining, what_is_cut_or_too_long_is_refused) {
  Neighbourhood n;
  Bytes bytes = write_training(n.jobs(), 5);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(ReceivedTraining(std::span(bytes).first(size), n.settings), CommError) << size;
  }
  EXPECT_EQ(ReceivedTraining(bytes, n.settings).generation(), 5U);
  bytes.push_back({});
  EXPECT_THROW(ReceivedTraining(bytes, n.settings), CommError);
}

// The offspring that so many ranks come to, whose discriminator has blocks for several of them.
Pair trained_by(int n_ranks, std::string_view optimizer, std::uint32_t n_stages = 1,
                nn::ZeroStage zero = nn::ZeroStage::kMoments, const nn::NetworkCuts& cuts = {}) {
  Pair offspring;
  comm::run_on_threads(n_ranks, [&](comm::Communicator world) {
    nn::prepare_compute_thread();
    Helped here(world, n_stages, cuts);
    nn::HostDevice& device = *here.device;
    Settings settings = testing::tiny_settings();
    settings.steps.average_decay = 0.5;
    settings.model.generator.layers.insert(settings.model.generator.layers.begin() + 1,
                                           nn::Layer{.kind = &nn::kBatchNormLayer});
    settings.model.discriminator.layers.front().has_spectral_norm = true;
    settings.model.discriminator.layers.front().outputs = 1000;
    settings.generator.optimizer.kind = settings.discriminator.optimizer.kind =
        nn::find_optimizer(optimizer);
    settings.generator.optimizer.zero = settings.discriminator.optimizer.zero = zero;
    Neighbourhood n(3, settings);
    if (here.ranks.rank() > 0) {
      TrainingHelper helper(device, n.settings, n.dataset);
      std::vector<Generation> told;
      const auto tell = [&](Generation generation) { told.push_back(generation); };
      helper.train(tell, kAlways);
      helper.train(tell, kAlways);
      EXPECT_EQ(told, (std::vector<Generation>{4, 5}));
      return;
    }
    Trainer trainer(device, n.settings, n.dataset, 1);
    RoutineTimes spent;
    for (const Generation generation : {4U, 5U}) {
      if (n_ranks > 1) share_training(device, n.settings, n.jobs(), generation);
      trainer.train(n.jobs(), generation, kAlways, spent);
      if (n_ranks > 1) gather_training(device, n.settings, n.jobs());
    }
    offspring = n.offspring;
  });
  return offspring;
}

TEST(SharedTraining, has_the_bits_of_one_rank) {
  for (const std::string_view optimizer : {"adam", "sgd", "lamb"}) {
    const Pair alone = trained_by(1, optimizer);
    EXPECT_EQ(alone.generator.step,
              7 + 2 * (testing::kTinySamples / testing::tiny_settings().batch_size));
    EXPECT_EQ(trained_by(2, optimizer), alone) << optimizer;
    EXPECT_EQ(trained_by(3, optimizer), alone) << optimizer;
    EXPECT_EQ(trained_by(2, optimizer, 2), alone) << optimizer;
    EXPECT_EQ(trained_by(3, optimizer, 3), alone) << optimizer;
    EXPECT_EQ(trained_by(4, optimizer, 2), alone) << optimizer;
  }
  const Pair alone = trained_by(1, "adam");
  for (const nn::ZeroStage zero :
       {nn::ZeroStage::kNothing, nn::ZeroStage::kGradients, nn::ZeroStage::kParameters}) {
    EXPECT_EQ(trained_by(3, "adam", 1, zero), alone);
    EXPECT_EQ(trained_by(2, "adam", 1, zero), alone) << "three micro-batches on two ranks";
  }
  EXPECT_EQ(trained_by(2, "adam", 2, nn::ZeroStage::kMoments, {1, 1}), alone);
  EXPECT_EQ(trained_by(3, "adam", 3, nn::ZeroStage::kMoments, {2, 1}), alone);
  EXPECT_EQ(trained_by(6, "adam", 2, nn::ZeroStage::kMoments, {1, 1}), alone);
}

}  // namespace
}  // namespace lipizz::coev::shared_training_test
