#include "worker/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "coev/trainer.hpp"
#include "data/dataset.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/network/network.hpp"
#include "setup/settings.hpp"

namespace lipizz::worker::memory_test {
namespace {

// The published networks: 283,920 and 267,009 parameters, padded a little.
constexpr double kWeights = 4.0 * (283'920 + 267'009);

// The state before the present one of each cell, of three networks' size, is held.
constexpr double kHeld = 3;

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() {
    experiment_.model.name = "mlp";
    experiment_.grid = {3, 3};
    experiment_.operators.selection = {"none"};
    experiment_.generator.average_decay = 0;
  }

  setup::WorkerMemory memory(const std::vector<CellId>& hosted, bool survives_losses = false) {
    return memory_of(experiment_, nn::Engine{}, points_, hosted, survives_losses);
  }

  // The padding of networks is left out.
  static void expect_networks(std::size_t found, double weights) {
    EXPECT_NEAR(static_cast<double>(found), kWeights * weights, 0.01 * kWeights);
  }

  config::Experiment experiment_;
  data::Description points_ = data::describe_dataset("ring8", {});
};

TEST_F(MemoryTest, counts_networks_with_what_belongs_to_them) {
  const setup::WorkerMemory one = memory({{4}});
  expect_networks(one.cells, 2 * 3);   // centre and offspring, two moments each
  expect_networks(one.neighbours, 4);  // in use
  // Its own last two, four that arrive, and the state before.
  expect_networks(one.messages, 2 + 4 + kHeld);
  experiment_.operators.selection = {"tournament"};  // moments travel too
  const setup::WorkerMemory whole = memory({{4}});
  expect_networks(whole.neighbours, 4 * 3);
  expect_networks(whole.messages, (2 + 4) * 3 + kHeld);
}

TEST_F(MemoryTest, of_cells_side_by_side_counts_a_neighbour_once) {
  const setup::WorkerMemory two = memory({{3}, {4}});
  expect_networks(two.cells, 3 * 3);
  expect_networks(two.neighbours, 2 + 5);  // each other's, 0, 1, 5, 6 and 7
  expect_networks(two.messages, 2 * 2 + 6 + 2 * kHeld);
  EXPECT_EQ(two.programs, memory({{4}}).programs);
}

TEST_F(MemoryTest, of_many_cells_is_found_from_the_ends_of_their_blocks) {
  experiment_.grid = {100, 10};
  const std::size_t network = memory({{4}}).neighbours / 4;
  const std::size_t state = memory({{4}}).cells / 2;
  std::vector<CellId> middle(500);
  for (std::uint32_t i = 0; i < 500; ++i) middle[i] = {200 + i};
  const setup::WorkerMemory half = memory(middle);
  EXPECT_EQ(half.neighbours, (500 + 2 * 10) * network);  // a row above, a row below
  EXPECT_EQ(half.messages, (2 * 20 + 20) * network + 500 * state);
  std::vector<CellId> all(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) all[i] = {i};
  EXPECT_EQ(memory(all).neighbours, 1000 * network);
  EXPECT_EQ(memory(all).messages, 0U) << "nobody else reads them, and none is behind";
  all.erase(all.begin() + 455);
  EXPECT_EQ(memory(all).neighbours, 1000 * network);
  EXPECT_EQ(memory(all).messages, (2 * 4 + 4) * network + 999 * state);
  experiment_.grid.neighbourhood = {{0, "isolated"}};
  EXPECT_EQ(memory(all).neighbours, 0U);
}

TEST_F(MemoryTest, of_those_who_can_be_lost_is_kept_by_others) {
  const setup::WorkerMemory alone = memory({{4}});
  const setup::WorkerMemory kept = memory({{4}}, true);
  expect_networks(kept.messages - alone.messages, 2 * 2 * 3);  // two generations of two buddies
  EXPECT_EQ(kept.total() - alone.total(), kept.messages - alone.messages);
}

// Z-4: two moments of the centre, of the offspring and of the state before.
TEST_F(MemoryTest, z4_moments_on_disk_take_no_memory) {
  const setup::WorkerMemory before = memory({{4}}, true);
  experiment_.generator.offload = "disk";
  experiment_.discriminator.offload = "disk";
  const setup::WorkerMemory after = memory({{4}}, true);
  expect_networks(before.cells - after.cells, 2 * 2);
  expect_networks(before.messages - after.messages, 2);
  EXPECT_EQ(before.neighbours, after.neighbours);
  expect_networks(after.on_disk, (1 + 1 + 1) * 2);
  EXPECT_EQ(before.on_disk, 0U);
  experiment_.operators.selection = {"tournament"};  // moments travel too
  expect_networks(memory({{4}}).neighbours, 4);
  experiment_.data.micro_batches = 2;
  nn::NoCell second(2, 1, {});
  expect_networks(memory_of_helper(experiment_, second.engine({}), points_, {{{4}}}).cells, 1);
}

// A GPU's gradients and parameters come to where the moments are.
TEST_F(MemoryTest, counts_what_updates_on_the_host_pass_through) {
  experiment_.compute.device = "cuda";
  const setup::WorkerMemory before = memory({{4}});
  experiment_.generator.offload = "host";
  experiment_.discriminator.offload = "host";
  const setup::WorkerMemory after = memory({{4}});
  EXPECT_EQ(after.cells, before.cells);
  EXPECT_EQ(after.on_disk, 0U);
  expect_networks(after.messages - before.messages, 2);
  experiment_.compute.device = "cpu";
  EXPECT_EQ(memory({{4}}).messages, before.messages);
}

// A worker hands out an offspring's weights and four neighbours', and shards of its moments.
TEST_F(MemoryTest, counts_what_ranks_of_a_cell_tell_each_other) {
  constexpr double kTold = 1 + 4;
  experiment_.data.micro_batches = 4;
  const std::vector<CellId> one{{4}};
  const setup::WorkerMemory alone = memory(one);
  nn::NoCell first(2, 0, {});
  nn::NoCell second(2, 1, {});
  const nn::Engine engine = second.engine({});
  const setup::WorkerMemory worker = memory_of(experiment_, first.engine({}), points_, one, false);
  expect_networks(worker.messages - alone.messages, kTold + 2 / 2);
  const setup::WorkerMemory helper = memory_of_helper(experiment_, engine, points_, one);
  expect_networks(helper.messages, kTold + 2 / 2);
  expect_networks(helper.cells, 1 + 2 / 2);
  expect_networks(helper.neighbours, 4);
  EXPECT_LT(helper.programs, worker.programs);
  experiment_.compute.device = "cuda";
  const std::size_t pinned =
      memory_of_helper(experiment_, engine, points_, one).messages - helper.messages;
  expect_networks(pinned, 2);  // the rows of two micro-batches, of both steps
  experiment_.compute.device = "cpu";
  experiment_.data.micro_batches = 100;  // rows of the larger network, 50 sent and as many received
  constexpr double kLarger = 283'920.0 / (283'920 + 267'009);
  expect_networks(memory_of_helper(experiment_, engine, points_, one).messages,
                  2 * 50 * 0.5 * kLarger);
}

// Z-3: parameters, moments and gradients of both networks as docs/parallel.md says, and the
// opponents beside these.
TEST_F(MemoryTest, z3_helpers_have_as_many_bytes_as_the_formulas_say) {
  const auto expect_formulas = [&](std::uint32_t n_ranks, std::uint32_t zero) {
    SCOPED_TRACE(experiment_.model.name + ", stage " + std::to_string(zero) + " on " +
                 std::to_string(n_ranks) + " ranks");
    experiment_.data.micro_batches = experiment_.data.batch_size = n_ranks;
    experiment_.generator.zero = experiment_.discriminator.zero = zero;
    const coev::Settings settings = setup::settings_of(experiment_);
    const double p =
        static_cast<double>(nn::parameter_layout(settings.model.generator).n_parameters +
                            nn::parameter_layout(settings.model.discriminator).n_parameters);
    const double n = n_ranks;
    const double formulas[] = {16 * p, (8 + 8 / n) * p, (4 + 12 / n) * p, 16 * p / n};
    for (std::uint32_t rank = n_ranks == 1 ? 0 : 1; rank < n_ranks; ++rank) {
      nn::NoCell cell(n_ranks, rank, {});
      const nn::Engine engine = cell.engine({});
      const setup::WorkerMemory helper = memory_of_helper(experiment_, engine, points_, {{{4}}});
      const nn::PlanBytes steps = coev::Trainer::bytes(settings, engine);
      EXPECT_EQ(helper.programs, steps.total());
      EXPECT_NEAR(static_cast<double>(helper.cells + steps.kept) / formulas[zero], 1, 0.1);
      const double opponents = 4 * 4 * p / (zero == 3 ? n : 1);
      EXPECT_NEAR(static_cast<double>(helper.neighbours) / opponents, 1, 0.1);
    }
  };
  experiment_.data.own.shape = "128x128x3";
  experiment_.data.own.classes = 1000;
  for (const auto& [model, dataset] :
       {std::pair("pix2pix", "facades"), {"biggan128", "image-folder"}}) {
    experiment_.model.name = model;
    experiment_.data.dataset = dataset;
    experiment_.data.class_conditional = experiment_.model.name == "biggan128";
    for (const std::uint32_t n_ranks : {1U, 2U, 4U}) {
      for (const std::uint32_t zero : {0U, 1U, 2U, 3U}) expect_formulas(n_ranks, zero);
    }
  }
}

// MP-2: a stage has the weights and the moments of its layers, and no others.
TEST_F(MemoryTest, mp2_helpers_in_a_pipeline_hold_their_stages) {
  experiment_.data.micro_batches = 4;
  const std::vector<CellId> one{{4}};
  const nn::GanSpec gan = setup::settings_of(experiment_).model;
  for (const std::uint32_t n_stages : {2U, 3U}) {
    for (const nn::PipelineBalance balance :
         {nn::PipelineBalance::kTime, nn::PipelineBalance::kMemory}) {
      std::size_t n_largest = 0;
      for (const nn::NetworkSpec* network : {&gan.generator, &gan.discriminator}) {
        std::size_t n_of_network = 0;
        for (const auto& block : nn::parameter_layout(*network).blocks) {
          n_of_network = std::max(n_of_network, nn::n_elements(block.shape));
        }
        n_largest = std::max(n_largest, n_of_network);
      }
      constexpr double kWithMoments = 3;
      const double n_all = 283'920 + 267'009;
      for (std::uint32_t rank = 1; rank < n_stages; ++rank) {
        nn::NoCell cell(n_stages, rank, {.n_stages = n_stages, .balance = balance});
        const setup::WorkerMemory helper =
            memory_of_helper(experiment_, cell.engine({}), points_, one);
        EXPECT_LE(
            static_cast<double>(helper.cells),
            kWithMoments * sizeof(float) * (n_all / n_stages + static_cast<double>(n_largest)));
        EXPECT_GT(helper.cells, 0U);
      }
    }
  }
}

TEST_F(MemoryTest, counts_a_moving_average_with_the_generator) {
  const setup::WorkerMemory before = memory({{4}});
  experiment_.generator.average_decay = 0.999;
  const setup::WorkerMemory after = memory({{4}});
  constexpr double kAverage = 283'920.0 / (283'920 + 267'009);
  expect_networks(after.cells - before.cells, 2 * kAverage);
  expect_networks(after.neighbours - before.neighbours, 4 * kAverage);
  expect_networks(after.messages - before.messages, (2 + 4 + 1) * kAverage);
}

TEST_F(MemoryTest, counts_another_offspring_and_the_past) {
  const setup::WorkerMemory one = memory({{4}});
  experiment_.operators.offspring = 5;  // the best so far, and the one in training
  EXPECT_EQ(memory({{4}}).cells, one.cells / 2 * 3);
  experiment_.operators.offspring = 1;
  experiment_.discriminator.opponents = {"history", {{"size", 4}}};
  const setup::WorkerMemory past = memory({{4}});
  const double generators = 4.0 * 283'920 * 4;
  EXPECT_NEAR(static_cast<double>(past.cells - one.cells), 2 * generators, 0.02 * generators);
  EXPECT_EQ(past.neighbours, one.neighbours);  // it does not travel
}

TEST_F(MemoryTest, counts_a_generator_that_runs_for_the_fitness) {
  const setup::WorkerMemory by_loss = memory({{4}});
  experiment_.operators.fitness.measure = "score";
  const setup::WorkerMemory by_score = memory({{4}});
  EXPECT_GT(by_score.programs, by_loss.programs);
  experiment_.operators.fitness.measure = "loss";
  experiment_.operators.fitness.diversity = 0.5;
  EXPECT_EQ(memory({{4}}).programs, by_score.programs);
}

TEST_F(MemoryTest, counts_a_judge_where_the_metric_has_one) {
  data::Description images = data::describe_dataset("glyphs", {});
  const std::vector<CellId> one{{4}};
  const auto programs = [&](const char* metric) {
    experiment_.score.metric = metric;
    return memory_of(experiment_, nn::Engine{}, images, one, false).programs;
  };
  const std::size_t with_blocks = programs("blocks");
  EXPECT_GT(programs("auto"), with_blocks);
  EXPECT_GT(programs("frechet"), with_blocks);
  images.shape = {8, 8, 1};
  EXPECT_EQ(programs("auto"), with_blocks) << "too small for a classifier";
  images.n_classes = 0;
  EXPECT_EQ(programs("auto"), with_blocks);
}

TEST_F(MemoryTest, grows_with_what_programs_work_on) {
  const setup::WorkerMemory before = memory({{4}});
  experiment_.data.batch_size *= 2;
  EXPECT_GT(memory({{4}}).programs, before.programs);
  experiment_.score.n_samples *= 2;
  EXPECT_GT(memory({{4}}).samples, before.samples);
}

}  // namespace
}  // namespace lipizz::worker::memory_test
