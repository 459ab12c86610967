#include "nn/exec/staged_operation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "nn/base/collectives.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/operation.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/collective.hpp"

namespace lipizz::nn {
namespace {

// The first of two ranks, of whom the other one has the same numbers.
class Twins final : public NoRanks {
 public:
  Twins() : NoRanks(2) {}
  void reduce_scatter(std::span<const float> rows, const Shard& range, std::size_t block,
                      std::span<float> own) override {
    const std::size_t first = shard_of(range, rank(), size(), block).first - range.first;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = 2 * rows[first + i];
  }
  void all_gather(std::span<const float> own, std::span<float> all) override {
    if (own.data() != all.data()) std::ranges::copy(own, all.begin());
    std::copy_n(all.begin(), all.size() - own.size(), all.begin() + own.size());
  }
};

struct Slots {
  explicit Slots(std::vector<std::size_t> sizes) {
    for (const std::size_t n : sizes) {
      views.push_back(graph.view(graph.add_slot("x", n, Slot::Access::kReadWrite), 0,
                                 {1, static_cast<std::uint32_t>(n)}));
    }
  }
  Graph graph;
  std::vector<ValueId> views;
};

std::vector<ValueId> values_of(std::span<const StagedOperation::Copy> copies) {
  std::vector<ValueId> values;
  for (const auto& copy : copies) values.push_back(copy.value);
  return values;
}

TEST(StagedOperation, a_result_goes_back) {
  Twins ranks;
  Slots slots({4});
  const ValueId sum = slots.graph.apply(kAllReduce, slots.views, {.collectives = &ranks});
  StagedOperation staged(slots.graph, sum);
  EXPECT_EQ(values_of(staged.inputs()), slots.views);
  EXPECT_EQ(values_of(staged.outputs()), std::vector{sum});
  EXPECT_FALSE(staged.only_sends());
  std::vector<float> host(staged.n_elements());
  std::ranges::copy(std::vector<float>{1, 2, 3, 4}, &host[staged.inputs()[0].place]);
  staged.run(host.data());
  const float* const found = &host[staged.outputs()[0].place];
  EXPECT_EQ(std::vector<float>(found, found + 4), (std::vector<float>{2, 4, 2, 4}));
}

TEST(StagedOperation, what_is_updated_goes_back_and_nothing_else) {
  Twins ranks;
  Slots slots({2048, 2048});
  const Attributes attributes{.shape = {0, 2048}, .collectives = &ranks};
  const ValueId scattered = slots.graph.apply(kReduceScatter, {slots.views[0]}, attributes);
  StagedOperation of_rows(slots.graph, scattered);
  EXPECT_EQ(values_of(of_rows.outputs()), std::vector{slots.views[0]});
  std::vector<float> host(of_rows.n_elements(), 1);
  of_rows.run(host.data());
  EXPECT_EQ(host[0], 2);
  EXPECT_EQ(host[2047], 1) << "of the other rank's shard";

  const ValueId added = slots.graph.apply(kAddGradients, slots.views, attributes);
  const StagedOperation of_sums(slots.graph, added);
  EXPECT_EQ(values_of(of_sums.inputs()), slots.views);
  EXPECT_EQ(values_of(of_sums.outputs()), std::vector{slots.views[0]});
}

TEST(StagedOperation, nothing_goes_back_where_values_are_only_sent) {
  Twins ranks;
  Slots slots({5, 3});
  const ValueId sent = slots.graph.apply(kSend, {slots.views[0]}, {.collectives = &ranks});
  const ValueId gradients =
      slots.graph.apply(kSendGradients, slots.views, {.shape = {0, 8}, .collectives = &ranks});
  for (const ValueId operation : {sent, gradients}) {
    StagedOperation staged(slots.graph, operation);
    EXPECT_TRUE(staged.only_sends());
    EXPECT_TRUE(staged.outputs().empty());
  }
  const ValueId received =
      slots.graph.apply(kReceive, {}, {.shape = {7}, .offset = 1, .collectives = &ranks});
  StagedOperation staged(slots.graph, received);
  EXPECT_TRUE(staged.inputs().empty());
  EXPECT_EQ(values_of(staged.outputs()), std::vector{received});
  EXPECT_FALSE(staged.only_sends()) << "it waits for another rank";
}

// Moments stay where they are, and weights go there and back.
TEST(StagedOperation, what_is_on_the_host_is_not_copied) {
  Graph graph;
  const auto add = [&graph](std::uint32_t n, bool is_on_host) {
    return graph.view(graph.add_slot({.name = "x",
                                      .n_elements = n,
                                      .access = Slot::Access::kReadWrite,
                                      .is_on_host = is_on_host}),
                      0, {n});
  };
  const std::vector<ValueId> inputs{add(3, false), add(3, false), add(4, false), add(3, true)};
  const ValueId update =
      graph.apply(kOptimizerStep, inputs, {.optimizer = {.kind = find_optimizer("sgd")}});
  EXPECT_TRUE(is_left_to_host(graph, update));
  EXPECT_FALSE(is_left_to_host(graph, graph.apply(kAdd, {inputs[0], inputs[1]})));
  StagedOperation staged(graph, update);
  EXPECT_EQ(values_of(staged.inputs()), std::vector(inputs.begin(), inputs.end() - 1));
  EXPECT_EQ(values_of(staged.outputs()), std::vector{inputs[0]});
  EXPECT_EQ(std::vector(staged.on_host().begin(), staged.on_host().end()),
            std::vector{inputs.back()});
  std::vector<float> host(staged.n_elements());
  const auto put = [&](std::size_t input, const std::vector<float>& values) {
    std::ranges::copy(values, &host[staged.inputs()[input].place]);
  };
  put(0, {1, 2, 3});
  put(1, {10, 20, 30});
  put(2, {0.1f, 0, 0, 0});
  std::vector<float> moments{0, 0, 100};
  float* const there = moments.data();
  staged.run(host.data(), std::span(&there, 1));
  EXPECT_THAT(moments, ::testing::ElementsAre(10, 20, 80)) << "momentum 0.5";
  EXPECT_THAT(std::vector(&host[0], &host[3]), ::testing::ElementsAre(0, 0, -5));
}

// As they are on the device, whatever the thread does with them elsewhere.
TEST(StagedOperation, denormal_numbers_are_numbers) {
  prepare_compute_thread();
  Slots slots({1, 1});
  const ValueId sum = slots.graph.apply(kAdd, slots.views);
  StagedOperation staged(slots.graph, sum);
  std::vector<float> host(staged.n_elements(), std::numeric_limits<float>::denorm_min());
  staged.run(host.data());
  EXPECT_EQ(std::bit_cast<std::uint32_t>(host[staged.outputs()[0].place]), 2U);
  volatile float half = std::numeric_limits<float>::min();
  half = half / 2;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(float{half}), 0U) << "as before";
}

// Values of one operation do not lie on each other.
TEST(StagedOperation, every_value_has_a_place_of_its_own) {
  Twins ranks;
  Slots slots({5, 3, 1});
  const ValueId gradients =
      slots.graph.apply(kSendGradients, slots.views, {.shape = {0, 9}, .collectives = &ranks});
  StagedOperation staged(slots.graph, gradients);
  std::size_t end = 0;
  for (const auto& [value, place, n] : staged.inputs()) {
    EXPECT_GE(place, end);
    EXPECT_EQ(n, n_elements(slots.graph.shape(value)));
    end = place + n;
  }
  EXPECT_LE(end, staged.n_elements());
}

}  // namespace
}  // namespace lipizz::nn
