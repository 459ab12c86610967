#include "parallel/cell_pipeline.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace lipizz::parallel::cell_pipeline_test {
namespace {

// One of so many ranks, that keeps to whom it sends.
class Listed final : public RankLink {
 public:
  Listed(std::uint32_t self, std::uint32_t size) : self_(self), size_(size) {}
  [[nodiscard]] RankInCell self() const override { return {self_}; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void send(RankInCell to, Bytes) override { sent_to.push_back(to.value); }
  [[nodiscard]] Bytes receive(RankInCell) override { return {}; }
  void begin_collective(std::string_view name) override { collective = name; }
  void lose_one() { --size_; }
  std::vector<std::uint32_t> sent_to;
  std::string_view collective;

 private:
  std::uint32_t self_, size_;
};

TEST(CellPipeline, has_as_many_stages_as_were_asked_for_where_that_comes_out_even) {
  EXPECT_EQ(n_stages_of(4, 1), 1U);
  EXPECT_EQ(n_stages_of(4, 2), 2U);
  EXPECT_EQ(n_stages_of(3, 2), 3U);
  EXPECT_EQ(n_stages_of(5, 2), 5U);
  EXPECT_EQ(n_stages_of(2, 4), 2U);
  EXPECT_EQ(n_stages_of(1, 4), 1U);
  EXPECT_EQ(n_stages_of(6, 4), 6U);
}

// Rank 4 of six is the first of two stages of the third replica.
TEST(CellPipeline, stages_are_ranks_that_follow_one_another) {
  Listed link(4, 6);
  CellPipeline cell(link, {.n_stages = 2});
  const nn::Pipeline& pipeline = cell.pipeline();
  EXPECT_EQ(pipeline.n_stages(), 2U);
  EXPECT_EQ(pipeline.stage(), 0U);
  EXPECT_FALSE(pipeline.is_last());
  EXPECT_EQ(pipeline.replicas->rank(), 2U);
  EXPECT_EQ(pipeline.replicas->size(), 3U);
  const std::vector<float> one(1);
  pipeline.stages->send(1, one);
  pipeline.replicas->send(0, one);
  pipeline.replicas->send(1, one);
  EXPECT_THAT(link.sent_to, ::testing::ElementsAre(5, 0, 2));
  pipeline.replicas->gather(one, std::vector<nn::Shard>(3), {});
  EXPECT_EQ(link.collective, "a gather");
}

TEST(CellPipeline, ranks_that_are_left_are_dealt_out_anew) {
  Listed link(1, 4);
  CellPipeline cell(link, {.n_stages = 2});
  EXPECT_NE(cell.pipeline().other_replicas(), nullptr);
  link.lose_one();
  EXPECT_EQ(cell.pipeline().n_stages(), 3U);
  EXPECT_EQ(cell.pipeline().stage(), 1U);
  EXPECT_EQ(cell.pipeline().other_replicas(), nullptr);
}

}  // namespace
}  // namespace lipizz::parallel::cell_pipeline_test
