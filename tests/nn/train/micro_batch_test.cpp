#include "nn/train/micro_batch.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::micro_batch_test {
namespace {

std::vector<std::uint32_t> sizes(std::uint32_t batch, std::uint32_t n) {
  std::vector<std::uint32_t> found;
  std::uint32_t next = 0;
  for (const Rows rows : micro_batches(batch, n).all) {
    EXPECT_EQ(rows.first, next);
    next += rows.n;
    found.push_back(rows.n);
  }
  EXPECT_EQ(next, batch);
  return found;
}

TEST(MicroBatch, every_row_of_a_batch_is_in_one) {
  EXPECT_EQ(sizes(12, 1), std::vector<std::uint32_t>({12}));
  EXPECT_EQ(sizes(12, 4), std::vector<std::uint32_t>({3, 3, 3, 3}));
  EXPECT_EQ(sizes(11, 4), std::vector<std::uint32_t>({3, 3, 3, 2}));
  EXPECT_EQ(sizes(3, 3), std::vector<std::uint32_t>({1, 1, 1}));
}

TEST(MicroBatch, none_is_empty) {
  EXPECT_THROW(micro_batches(4, 0), InternalError);
  EXPECT_THROW(micro_batches(4, 5), InternalError);
}

TEST(MicroBatch, ranks_compute_them_in_turn) {
  for (const std::uint32_t n_ranks : {1U, 2U, 3U, 5U}) {
    for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
      NoRanks ranks(n_ranks, rank);
      const MicroBatches dealt = micro_batches(11, 5, &ranks);
      ASSERT_EQ(dealt.all.size(), 5U);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = rank; i < 5; i += n_ranks) expected.push_back(dealt.all[i].first);
      std::vector<std::uint32_t> found;
      for (const Rows rows : dealt.own) found.push_back(rows.first);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(MicroBatch, no_rank_is_without_one) {
  NoRanks ranks(3);
  EXPECT_THROW(micro_batches(11, 2, &ranks), InternalError);
}

TEST(MicroBatch, what_is_handed_to_a_step_is_handed_whole) {
  StepOptions options{.n_micro_batches = 2};
  const GanSpec gan = make_model("mlp-2d");
  EXPECT_THROW(generator_step_graph(gan, {}, 4, options), InternalError);
  const testing::DrawnSamples source(gan.sample(), 1);
  EXPECT_NO_THROW(generator_step_graph(gan, {}, 4, options, {&source}));
}

}  // namespace
}  // namespace lipizz::nn::micro_batch_test
