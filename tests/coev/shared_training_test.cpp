#include "coev/shared_training.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "coev/opponents/history.hpp"
#include "coev/support.hpp"
#include "comm/test_world.hpp"
#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"
#include "parallel/cell_collectives.hpp"
#include "parallel/world_link.hpp"

namespace lipizz::coev::shared_training_test {
namespace {

const auto kAlways = [] { return true; };

// A cell with two neighbours and a past.
struct Neighbourhood {
  explicit Neighbourhood(std::uint32_t n_micro_batches = 1,
                         const Settings& from = testing::tiny_settings())
      : settings(from) {
    settings.steps.n_micro_batches = n_micro_batches;
    settings.generator.opponents = {kHistoryOpponents};
    settings.discriminator.opponents = {kHistoryOpponents};
    settings.operators.rate_mutation.per = Period::kBatch;
    settings.operators.loss_mutation = {kUniformLossMutation, {0, 1, 3}, Period::kBatch};
    for (std::uint32_t i = 0; i < 3; ++i) cells.push_back(make_cell(settings, {i}));
    for (const Cell& cell : cells) members.add(cell.id, cell.centre);
    for (const NetworkRole role : kNetworkRoles) {
      history[role].push_back(genome(cells[2].centre, role).parameters);
    }
    offspring = cells[0].centre;
    offspring.generator.step = 7;
    offspring.discriminator.learning_rate = 0.25;
  }
  std::array<TrainingJob, 1> jobs() { return {{{{0}, &offspring, &members, &history, 1}}}; }

  Settings settings;
  testing::ToyDataset dataset{testing::kTinySamples};
  std::vector<Cell> cells;
  Subpopulation members;
  History history;
  Pair offspring;
};

TEST(SharedTraining, survives_the_wire) {
  Neighbourhood n;
  const nn::NoRanks ranks(2, 1);
  ReceivedTraining received(write_training(n.jobs(), n.settings, 5), n.settings, ranks);
  EXPECT_EQ(received.generation(), 5U);
  const std::vector<TrainingJob> jobs = received.jobs();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].cell, CellId{0});
  EXPECT_EQ(jobs[0].number, 1U);
  std::size_t n_moments = 0;
  for (const NetworkRole role : kNetworkRoles) {
    Genome& own = genome(*jobs[0].offspring, role);
    n_moments += own.moments.size();
    own.moments = genome(n.offspring, role).moments;  // these do not travel with it
  }
  EXPECT_EQ(n_moments * sizeof(float), moment_shard_bytes(n.settings, ranks.size()));
  EXPECT_EQ(*jobs[0].offspring, n.offspring);
  EXPECT_EQ(*jobs[0].history, n.history);
  ASSERT_EQ(jobs[0].opponents->size(), 3U);
  for (const NetworkRole role : kNetworkRoles) {
    for (std::size_t member = 1; member < 3; ++member) {
      EXPECT_TRUE(std::ranges::equal(jobs[0].opponents->networks(role)[member],
                                     n.members.networks(role)[member]));
    }
  }
}

TEST(SharedTraining, what_is_cut_or_too_long_is_refused) {
  Neighbourhood n;
  const nn::NoRanks ranks(2, 1);
  Bytes bytes = write_training(n.jobs(), n.settings, 5);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 50) {
    EXPECT_THROW(ReceivedTraining(std::span(bytes).first(size), n.settings, ranks), CommError)
        << size;
  }
  bytes.push_back({});
  EXPECT_THROW(ReceivedTraining(bytes, n.settings, ranks), CommError);
}

// The offspring that so many ranks come to, whose discriminator has blocks for several of them.
Pair trained_by(int n_ranks, std::string_view optimizer) {
  Pair offspring;
  comm::run_on_threads(n_ranks, [&](comm::Communicator world) {
    nn::prepare_compute_thread();
    parallel::WorldLink link(world);
    parallel::CellCollectives cell(link);
    nn::Engine engine = nn::testing::fastest_engine();
    if (n_ranks > 1) engine.collectives = &cell;
    nn::HostDevice device(engine);
    Settings settings = testing::tiny_settings();
    settings.model.discriminator.layers.front().outputs = 1000;
    settings.generator.optimizer.kind = settings.discriminator.optimizer.kind =
        nn::find_optimizer(optimizer);
    Neighbourhood n(3, settings);
    if (cell.rank() > 0) {
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
      if (n_ranks > 1) share_training(cell, n.settings, n.jobs(), generation);
      trainer.train(n.jobs(), generation, kAlways, spent);
      if (n_ranks > 1) gather_moments(cell, n.settings, n.jobs());
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
  }
}

}  // namespace
}  // namespace lipizz::coev::shared_training_test
