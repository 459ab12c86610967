#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/test_world.hpp"
#include "nn/cpu/numerics.hpp"
#include "parallel/cell_collectives.hpp"
#include "parallel/shared_steps.hpp"
#include "parallel/world_link.hpp"

/// The requirements on collectives and on steps that ranks compute together, on every transport and
/// for any number of ranks. A test file instantiates the suites with its worlds. DP-1 and the like
/// are names of ours for the properties of data parallelism.
namespace lipizz::parallel {

using comm::Communicator;
using comm::TestWorld;

class Conformance : public ::testing::TestWithParam<TestWorld> {
 protected:
  static void on_every_rank(const comm::RankBody& body) { GetParam().run(body); }
};

class CollectivesConformance : public Conformance {};

// Rows of a rank: one more on each, numbers that do not add up exactly.
inline std::vector<float> rows_of(std::uint32_t rank, std::size_t n) {
  std::vector<float> rows((rank % 3 + 1) * n);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] =
        static_cast<float>(1 / (1.0 + static_cast<double>((i * 7919 + rank * 104729) % 1009)));
  }
  return rows;
}

// One after the other: the first ones of all ranks, then the second ones.
inline std::vector<float> sum_of_all(std::uint32_t n_ranks, std::size_t n) {
  std::vector<float> sum = rows_of(0, n);
  sum.resize(n);
  constexpr std::size_t kMostRows = 3;
  for (std::uint32_t turn = 0; turn < kMostRows * n_ranks; ++turn) {
    const std::vector<float> rows = rows_of(turn % n_ranks, n);
    const std::size_t first = turn / n_ranks * n;
    if (turn == 0 || first >= rows.size()) continue;
    for (std::size_t i = 0; i < n; ++i) sum[i] += rows[first + i];
  }
  return sum;
}

// Fewer elements than ranks, parts of unequal size, and more than fit a piece.
TEST_P(CollectivesConformance, dp5_an_all_reduce_in_pieces_has_the_bits_of_sums_in_order) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 7);
    for (const std::size_t n : {1U, 3U, 50U, 1000U}) {
      const std::vector<float> rows = rows_of(cell.rank(), n);
      std::vector<float> sum(n);
      cell.all_reduce(rows, sum);
      EXPECT_EQ(sum, sum_of_all(cell.size(), n));
    }
  });
}

TEST_P(CollectivesConformance, a_sum_may_lie_on_its_first_row) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<float> rows = rows_of(cell.rank(), 100);
    cell.all_reduce(rows, std::span(rows).first(100));
    rows.resize(100);
    EXPECT_EQ(rows, sum_of_all(cell.size(), 100));
  });
}

// 2 n (R - 1) / R elements of each rank where all have a row.
TEST_P(CollectivesConformance, an_all_reduce_sends_no_more_than_a_ring_would) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<float> row(840, 1);
    cell.all_reduce(row, row);
    const std::size_t n_ranks = cell.size();
    EXPECT_EQ(link.n_bytes(), 2 * 840 * (n_ranks - 1) / n_ranks * sizeof(float));
    EXPECT_EQ(link.n_sent(), 2 * (n_ranks - 1));
  });
}

// Shards without an element, one block, and more than fit a piece; ranges that begin and end within
// a block.
TEST_P(CollectivesConformance, a_reduce_scatter_gives_each_rank_its_shard_of_the_sums) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 700);
    for (const nn::Shard& range :
         {nn::Shard{0, 1}, {0, 1024}, {0, 5000}, {700, 5000}, {1500, 20000}}) {
      std::vector<float> rows = rows_of(cell.rank(), range.n);
      const std::vector<float> before = rows;
      nn::Shard own = nn::shard_of(range, cell.rank(), cell.size());
      own.first -= range.first;
      cell.reduce_scatter(rows, range, nn::kShardBlock, std::span(rows).subspan(own.first, own.n));
      const std::vector<float> sum = sum_of_all(cell.size(), range.n);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool is_own = i >= own.first && i < own.end();
        ASSERT_EQ(rows[i], is_own ? sum[i] : before[i]) << i << " of " << range.n;
      }
    }
  });
}

// Parts that fill their last piece, and such as have none.
TEST_P(CollectivesConformance, an_all_gather_joins_parts_in_pieces) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 3);
    const auto size_of = [](std::uint32_t rank) { return (rank + 1) % 4 * 2; };
    std::vector<float> wanted;
    for (std::uint32_t rank = 0; rank < cell.size(); ++rank) {
      wanted.insert(wanted.end(), size_of(rank), static_cast<float>(rank));
    }
    const std::vector<float> own(size_of(cell.rank()), static_cast<float>(cell.rank()));
    std::vector<float> all(wanted.size(), -1);
    cell.all_gather(own, all);
    EXPECT_EQ(all, wanted);
  });
}

// Each adds its rank to the shard that it has been given.
TEST_P(CollectivesConformance, what_is_scattered_comes_back_to_the_first_rank) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 700);
    for (const std::size_t n : {1U, 1024U, 20000U}) {
      std::vector<float> all(n);
      std::iota(all.begin(), all.end(), 0.0f);
      const std::vector<float> before = all;
      const nn::Shard own = nn::shard_of(n, cell.rank(), cell.size());
      std::vector<nn::Shard> shards;
      for (std::uint32_t rank = 0; rank < cell.size(); ++rank) {
        shards.push_back(nn::shard_of(n, rank, cell.size()));
      }
      std::vector<float> values(own.n);
      cell.scatter(all, shards, values);
      for (std::size_t i = 0; i < own.n && cell.rank() > 0; ++i) {
        EXPECT_EQ(values[i], before[own.first + i]);
        values[i] += static_cast<float>(cell.rank());
      }
      cell.gather(values, shards, all);
      if (cell.rank() != 0) continue;
      for (std::uint32_t rank = 0; rank < cell.size(); ++rank) {
        for (std::size_t i = shards[rank].first; i < shards[rank].end(); ++i) {
          ASSERT_EQ(all[i], before[i] + static_cast<float>(rank));
        }
      }
    }
  });
}

// Messages of several pieces, to everybody in turn, and what overlaps and is empty among shards.
TEST_P(CollectivesConformance, values_go_from_rank_to_rank_in_order) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 7);
    const std::uint32_t next = (cell.rank() + 1) % cell.size();
    const std::uint32_t before = (cell.rank() + cell.size() - 1) % cell.size();
    if (cell.size() > 1) {
      for (const std::size_t n : {20U, 0U, 7U}) {
        cell.send(next, std::vector<float>(n, static_cast<float>(n + cell.rank())));
      }
      for (const std::size_t n : {20U, 0U, 7U}) {
        std::vector<float> values(n);
        cell.receive(before, values);
        EXPECT_EQ(values, std::vector<float>(n, static_cast<float>(n + before)));
      }
    }
    std::vector<nn::Shard> shards(cell.size(), nn::Shard{1, 3});
    shards.back() = {};
    std::vector<float> own(shards[cell.rank()].n, -1);
    cell.scatter(std::vector<float>{0, 1, 2, 3, 4}, shards, own);
    if (cell.rank() > 0 && !own.empty()) {
      EXPECT_THAT(own, ::testing::ElementsAre(1, 2, 3));
    }
  });
}

TEST_P(CollectivesConformance, an_all_gather_joins_parts_of_any_size_in_place) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<float> wanted;
    std::size_t first = 0;
    for (std::uint32_t rank = 0; rank < cell.size(); ++rank) {
      if (rank == cell.rank()) first = wanted.size();
      wanted.insert(wanted.end(), rank + 1, static_cast<float>(rank));
    }
    std::vector<float> all(wanted.size(), -1);
    const auto own = std::span(all).subspan(first, cell.rank() + 1);
    std::ranges::fill(own, static_cast<float>(cell.rank()));
    cell.all_gather(own, all);
    EXPECT_EQ(all, wanted);
  });
}

TEST_P(CollectivesConformance, a_broadcast_brings_the_bytes_of_the_first_rank) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 2);
    for (const std::size_t n : {0U, 1U, 8U, 9U, 100U}) {
      Bytes bytes = cell.rank() == 0 ? comm::filled(n, 7) : comm::filled(3, 1);
      cell.broadcast(bytes);
      EXPECT_EQ(bytes, comm::filled(n, 7));
    }
  });
}

// Ranks that come late, each in its turn: a sum waits for all of them. The others cannot have it
// before, since the late rank tells its number only once it has heard that they are waiting.
TEST_P(CollectivesConformance, dp6_nobody_runs_ahead_of_a_slow_rank) {
  on_every_rank([](Communicator world) {
    Communicator words = world.duplicate("the others' words");
    WorldLink link(world);
    CellCollectives cell(link);
    for (std::uint32_t turn = 0; turn < 2 * cell.size(); ++turn) {
      const auto late = static_cast<int>(turn % cell.size());
      std::vector<float> row(10, 0);
      if (words.rank() != late) {
        words.isend(late, 0, Bytes(1), "about to wait").wait();
      } else {
        for (int other = 1; other < words.size(); ++other) {
          static_cast<void>(words.receive(comm::kAny, 0, "about to wait"));
        }
        row.assign(10, static_cast<float>(turn + 1));
      }
      cell.all_reduce(row, row);
      EXPECT_EQ(row, std::vector<float>(10, static_cast<float>(turn + 1)));
    }
  });
}

class DataParallel : public Conformance {};

// With a batch that all ranks find a row in.
inline training::Training for_ranks(training::Training how, std::uint32_t n_ranks) {
  how.batch = std::max(how.batch, n_ranks);
  return how;
}

TEST_P(DataParallel, dp1_gradients_are_those_of_the_whole_batch) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    for (const training::Training& one : training::without_batch_norm()) {
      const training::Training how = for_ranks(one, cell.size());
      const training::Pair found = after_steps(how, cell.size(), &cell, 1);
      const training::Pair whole = by_one_rank(how, 1, cell, 1);
      training::expect_near(found, whole, 1e-6);
      training::expect_near_losses(found, whole, 1e-6);
    }
  });
}

// More than a test of gradients: after several steps nothing differs from one rank that computes
// the same micro-batches, nor from rank to rank. Uneven micro-batches (DP-3) and ranks that have
// more of them than others are among these, batch norm's running statistics, spectral norm,
// dropout, and threads.
TEST_P(DataParallel, dp2_dp3_all_ranks_have_the_bits_of_one) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<training::Training> all = training::with_options();
    all.push_back({nn::testing::tiny_image_gan(), 7});
    all.push_back({nn::make_model("mlp-2d"), 11});
    for (const training::Training& one : all) {
      const training::Training how = for_ranks(one, cell.size() + 2);
      const std::uint32_t n = cell.size() + 1;
      const training::Pair wanted = by_one_rank(how, n, cell, 2);
      EXPECT_EQ(after_steps(how, n, &cell, 2), wanted);
      EXPECT_EQ(after_steps(how, n, &cell, 2, 2), wanted);
    }
  });
}

// Each rank in its turn is late with all that it sends, in steps of both networks: nobody goes on
// with a network that has not been updated.
TEST_P(DataParallel, dp6_a_late_rank_changes_no_step) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    Communicator words = world.duplicate("the others' words");
    const training::Training how{nn::make_model("mlp-2d"), 11};
    for (int late = 0; late < world.size(); ++late) {
      LateLink link(world, words, late);
      CellCollectives cell(link);
      EXPECT_EQ(after_steps(how, 9, &cell, 3), by_one_rank(how, 9, cell, 3)) << late;
    }
  });
}

// Gradients are clipped by the length of the whole one, and by its numbers, not those of what a
// rank adds to it.
TEST_P(DataParallel, clip1_clip2_gradients_are_clipped_as_on_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    training::Training how{nn::make_model("mlp-2d"), 20};
    const training::Pair free = by_one_rank(how, 1, cell, 1);
    for (const nn::OptimizerSpec& clipped :
         {nn::OptimizerSpec{.clip_norm = 1e-3}, nn::OptimizerSpec{.clip_value = 1e-3}}) {
      how.optimizer = clipped;
      const training::Pair whole = by_one_rank(how, 1, cell, 1);
      EXPECT_GT(nn::testing::relative_l2(whole.d_moments, free.d_moments), 0.1);
      training::expect_near(after_steps(how, cell.size(), &cell, 1), whole, 1e-6);
      EXPECT_EQ(after_steps(how, 9, &cell, 2), by_one_rank(how, 9, cell, 2));
    }
  });
}

// The pair after many steps, whose moments are kept in shards: fifty (Z-1), and a hundred (DP-2) of
// the default optimizer.
TEST_P(DataParallel, dp2_z1_many_steps_have_the_bits_of_whole_moments) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    for (const nn::OptimizerEntry& row : nn::optimizers()) {
      training::Training how{nn::make_model("mlp-2d"), 12};
      how.optimizer = {.kind = nn::find_optimizer(row.name), .clip_norm = 0.5, .weight_clip = 0.1};
      const std::uint32_t n_steps = row.name == std::string_view("adam") ? 100 : 50;
      EXPECT_EQ(after_steps(how, 9, &cell, n_steps), by_one_rank(how, 9, cell, n_steps))
          << row.name;
    }
  });
}

// Networks of a block, which one rank updates for all, and of blocks that do not come out even.
TEST_P(DataParallel, z5_ranks_may_have_shards_of_any_size) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const nn::GanSpec small{{{3}, {{5}, {2}}}, {{2}, {{700}, {1}}}};
    EXPECT_EQ(nn::parameter_layout(small.generator).n_parameters, 32U);
    EXPECT_EQ(nn::parameter_layout(small.discriminator).n_parameters, 2801U);
    training::Training how{small, 9};
    for (const double clip_norm : {0.0, 1e-3}) {
      how.optimizer.clip_norm = clip_norm;
      EXPECT_EQ(after_steps(how, 9, &cell, 5), by_one_rank(how, 9, cell, 5)) << clip_norm;
    }
  });
}

// Batch norm in both networks, class-conditional beside spectral norm, and in three passes of a
// generator's step.
inline std::vector<training::Training> with_batch_norm(std::uint32_t batch) {
  const nn::StepOptions options{.sync_batch_norm = true};
  nn::StepOptions relativistic = options;
  relativistic.is_relativistic = true;
  return {{nn::testing::tiny_image_gan(), batch, options},
          {training::small_residual_gan(), batch, options},
          {nn::testing::tiny_image_gan(), batch, relativistic}};
}

// Statistics of the batch and, by the moments, gradients through them. Batches that do not come out
// even (SBN-4) are among these, real and generated samples in one pass (SBN-6), classes and running
// statistics (SBN-7).
TEST_P(DataParallel, sbn1_sbn2_sbn4_sbn6_sbn7_synchronised_batch_norm_is_that_of_the_batch) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    for (const std::uint32_t more : {0U, 1U, 3U}) {
      for (const training::Training& how : with_batch_norm(2 * cell.size() + more)) {
        const training::Pair found = after_steps(how, cell.size(), &cell, 1);
        const training::Pair whole = by_one_rank(how, 1, cell, 1);
        training::expect_near(found, whole, 1e-5);
        training::expect_near_statistics(how.gan, found, whole, 1e-5);
        training::expect_near_losses(found, whole, 1e-6);
      }
    }
  });
}

TEST_P(DataParallel, sbn4_a_rank_may_have_one_sample) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    if (cell.size() == 1) return;
    const training::Training how{
        nn::testing::tiny_image_gan(), cell.size(), {.sync_batch_norm = true}};
    training::expect_near(after_steps(how, cell.size(), &cell, 1), by_one_rank(how, 1, cell, 1),
                          1e-5);
  });
}

// The same bits however micro-batches are dealt out, after several steps.
TEST_P(DataParallel, sbn_synchronised_ranks_have_the_bits_of_one) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<training::Training> all = with_batch_norm(2 * cell.size() + 3);
    for (training::Training how : training::with_options()) {
      how.batch = cell.size() + 2;
      how.options.sync_batch_norm = true;
      how.optimizer.clip_norm = 0.1;
      all.push_back(how);
    }
    for (training::Training how : with_batch_norm(cell.size() + 2)) {
      how.optimizer.mixed = {nn::Half::kFp16, how.options.is_relativistic ? 64.0 : 0};
      all.push_back(how);
    }
    for (const training::Training& how : all) {
      const std::uint32_t n = cell.size() + 1;
      EXPECT_EQ(after_steps(how, n, &cell, 2), by_one_rank(how, n, cell, 2));
    }
  });
}

// The negative control of SBN-2, by the same measure.
TEST_P(DataParallel, sbn3_without_it_gradients_are_others) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    if (cell.size() == 1) return;
    training::Training how{nn::testing::tiny_image_gan(), 2 * cell.size()};
    const training::Pair whole = by_one_rank(how, 1, cell, 1);
    const training::Pair apart = after_steps(how, cell.size(), &cell, 1);
    EXPECT_GT(nn::testing::relative_l2(apart.d_moments, whole.d_moments), 0.1);
    EXPECT_GT(nn::testing::relative_l2(apart.g_moments, whole.g_moments), 0.1);
  });
}

// Two cells whose ranks train at the same time, each against networks of its own.
TEST_P(DataParallel, sbn5_cells_do_not_share_statistics) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 2 != 0) return;
    const int n = world.size() / 2;
    WorldLink link(world, n);
    CellCollectives cell(link);
    const auto seed = static_cast<std::uint64_t>(world.rank() / n);
    for (const training::Training& how : with_batch_norm(2 * cell.size() + 3)) {
      EXPECT_EQ(after_steps(how, cell.size() + 1, &cell, 2, 1, seed),
                by_one_rank(how, cell.size() + 1, cell, 2, seed));
    }
  });
}

// Samples that say which of them have been read.
class CountedSamples final : public nn::SampleSource {
 public:
  CountedSamples() : read_(40, 0.0f) {}
  [[nodiscard]] std::uint32_t n_samples() const override { return 40; }
  [[nodiscard]] std::uint32_t sample_size() const override { return 2; }
  void read(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    for (const std::uint32_t index : indices) ++read_[index];
    std::ranges::fill(out, 0.5f);
  }
  [[nodiscard]] std::uint32_t label(std::uint32_t) const override { return 0; }
  [[nodiscard]] std::vector<float>& n_read() const { return read_; }

 private:
  mutable std::vector<float> read_;
};

TEST_P(DataParallel, dp4_every_sample_is_read_once_by_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const CountedSamples source;
    const nn::GanSpec gan = nn::make_model("mlp-2d");
    nn::HostDevice device(engine_with(&cell));
    nn::DiscriminatorStep step(device, gan, {}, source, 20, 1, {.n_micro_batches = 9});
    training::Pair pair(gan);
    nn::UploadScope uploads(device);
    for (std::uint32_t first = 0; first < 40; first += 20) {
      const training::Uploaded uploaded(uploads, pair, 0.001f, first / 20);
      step.bind(0, uploaded.d, uploaded.g.parameters);
      const std::vector<std::uint32_t> indices = training::indices(first, 20);
      step.feed(0, training::feed_of(1, first / 20, indices));
      step.run();
    }
    std::vector<float>& n_read = source.n_read();
    EXPECT_LE(std::accumulate(n_read.begin(), n_read.end(), 0.0f), 2 * 20);
    cell.all_reduce(n_read, n_read);
    EXPECT_EQ(n_read, std::vector<float>(40, 1));
  });
}

// The loss of a discriminator's step in nine micro-batches.
inline float loss_of_step(const nn::Engine& engine, nn::StepOptions options = {}) {
  options.n_micro_batches = 9;
  const nn::GanSpec gan = nn::make_model("mlp-2d");
  const nn::testing::DrawnSamples source = training::samples_for(gan);
  nn::HostDevice device(engine);
  nn::DiscriminatorStep step(device, gan, {}, source, 20, 1, options);
  training::Pair pair(gan);
  nn::UploadScope uploads(device);
  const training::Uploaded uploaded(uploads, pair, 0.001f, 0);
  step.bind(0, uploaded.d, uploaded.g.parameters);
  const std::vector<std::uint32_t> indices = training::indices(0, 20);
  step.feed(0, training::feed_of(1, 0, indices));
  step.run();
  return step.loss(0);
}

TEST_P(DataParallel, a_loss_is_that_of_all_ranks) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    EXPECT_EQ(loss_of_step(engine_with(&cell)), loss_of_step(engine_with(nullptr)));
  });
}

// Gradients of all micro-batches of a rank travel at once, and then what has become of parameters,
// in as many bytes as docs/parallel.md says: of all ranks together, since their shards differ.
TEST_P(DataParallel, ga2_a_step_has_one_reduce_scatter_and_one_all_gather) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const nn::GanSpec gan = nn::make_model("mlp-2d");
    const std::size_t others = cell.size() - 1;
    struct Sent {
      std::size_t n_messages, n_bytes;
    };
    const auto sent = [&](std::uint32_t n_micro_batches, std::uint32_t n_steps) {
      const Sent before{link.n_sent(), link.n_bytes()};
      after_steps({gan, 20}, n_micro_batches, &cell, n_steps);
      return Sent{link.n_sent() - before.n_messages, link.n_bytes() - before.n_bytes};
    };
    const std::size_t n_parameters = nn::parameter_layout(gan.generator).n_parameters +
                                     nn::parameter_layout(gan.discriminator).n_parameters;
    for (const std::uint32_t n_of_rank : {1U, 2U}) {
      const std::uint32_t n = n_of_rank * cell.size();
      const Sent one = sent(n, 1), two = sent(n, 2);
      EXPECT_EQ(two.n_messages - one.n_messages, 2 * (1 + 1) * others) << "of both networks";
      std::vector<float> n_elements{static_cast<float>(two.n_bytes - one.n_bytes) / sizeof(float)};
      cell.all_reduce(n_elements, n_elements);
      EXPECT_EQ(n_elements.front(), static_cast<float>((n_of_rank + 1) * n_parameters * others));
    }
  });
}

// In the generator's step batch norm of both networks has statistics and sums, in the
// discriminator's that of the frozen generator has statistics alone; without, running statistics of
// both networks in training are gathered.
TEST_P(DataParallel, sbn_messages_are_those_of_layers_and_gradients) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    if (cell.size() > 4) return;  // fewer messages than these: parts of sums are empty
    const auto n_sent = [&](bool sync_batch_norm) {
      const std::size_t before = link.n_sent();
      after_steps(
          {nn::testing::tiny_image_gan(), 2 * cell.size(), {.sync_batch_norm = sync_batch_norm}},
          cell.size(), &cell, 1);
      return link.n_sent() - before;
    };
    const std::size_t others = cell.size() - 1;
    EXPECT_EQ(n_sent(true) - n_sent(false), ((1 + 2) * 2 + (1 + 0) + (1 + 2) - 2) * others);
  });
}

}  // namespace lipizz::parallel
