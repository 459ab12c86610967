#include "nn/cpu/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::plan_test {
namespace {

// The vectors [u, v] after one step, as long as a row of weights and a column of them.
Buffer<float> iterate_once(const Engine& engine, std::uint32_t n_in, std::uint32_t n_out) {
  Graph g;
  const SlotId weights = g.add_slot("w", std::size_t{n_in} * n_out, Slot::Access::kRead);
  const SlotId state = g.add_slot("u, v", n_out + n_in, Slot::Access::kReadWrite);
  g.apply(kPowerIteration, {g.view(weights, 0, {n_in, n_out}), g.view(state, 0, {n_out}),
                            g.view(state, n_out, {n_in})});
  Plan<float> plan(engine, g, 1);
  const Buffer<float> w = testing::normals(std::size_t{n_in} * n_out, 1);
  Buffer<float> vectors = testing::normals(n_out + n_in, 2);
  plan.bind(weights, 0, std::span<const float>(w));
  plan.bind(state, 0, std::span<float>(vectors));
  plan.run();
  return vectors;
}

TEST(Plan, every_engine_brings_singular_vectors_to_length_one) {
  for (const Engine& engine : testing::engines()) {
    for (const std::uint32_t n_out : {1U, 16U, 37U}) {
      const Buffer<float> found = iterate_once(engine, 45, n_out);
      double square = 0;
      for (const float x : std::span(found).first(n_out)) square += double{x} * x;
      EXPECT_NEAR(square, 1, 1e-5);
    }
  }
}

TEST(Plan, a_slot_of_the_wrong_size_is_refused) {
  Graph g;
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 4, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {2, 2});
  g.place(g.apply(kAdd, {x, x}), out, 0);
  Plan<float> plan({}, g, 1);
  const std::vector<float> three(3);
  EXPECT_THROW(plan.bind(in, 0, std::span<const float>(three)), InternalError);
}

TEST(Plan, a_slot_is_bound_in_parts) {
  Graph g;
  const SlotId in = g.add_slot("in", 6, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 2, Slot::Access::kReadWrite);
  g.place(g.apply(kAdd, {g.view(in, 0, {2}), g.view(in, 4, {2})}), out, 0);
  Plan<float> plan({}, g, 1);
  std::vector<float> first{1, 2};
  std::vector<float> last{10, 20, 30};
  std::vector<float> sum(2);
  plan.bind_part(in, 0, 0, first);
  plan.bind_part(in, 0, 3, last);
  plan.bind(out, 0, std::span<float>(sum));
  plan.run();
  EXPECT_EQ(sum, (std::vector<float>{21, 32}));
  EXPECT_THROW(plan.bind_part(in, 0, 1, last), InternalError);
  EXPECT_THROW(plan.bind_part(in, 0, 5, std::span(first).first(1)), InternalError);
}

TEST(Plan, double_precision_lives_on_the_reference_only) {
  Graph g;
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 4, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {2, 2});
  g.place(g.apply(kAdd, {x, x}), out, 0);
  EXPECT_THROW(Plan<double>({Backend::kOneDnn, NumericsLevel::kBaseline}, g, 1), InternalError);
  EXPECT_NO_THROW(Plan<double>({}, g, 1));
}

// y = x w twice over, whose first product lies in the arena: [rows, 8] each.
struct TwoProducts {
  TwoProducts(std::uint32_t rows, const std::shared_ptr<PlanResources<float>>& shared)
      : x(testing::normals(std::size_t{rows} * 8, rows)), w(testing::normals(64, 1)), y(x.size()) {
    Graph g;
    const SlotId slots[] = {g.add_slot("x", x.size(), Slot::Access::kRead),
                            g.add_slot("w", w.size(), Slot::Access::kRead),
                            g.add_slot("y", y.size(), Slot::Access::kReadWrite)};
    const ValueId weights = g.view(slots[1], 0, {8, 8});
    const ValueId once = g.apply(kMatmul, {g.view(slots[0], 0, {rows, 8}), weights});
    g.place(g.apply(kMatmul, {once, weights}), slots[2], 0);
    plan = std::make_unique<Plan<float>>(testing::engines().back(), g, 1, shared);
    plan->bind(slots[0], 0, std::span<const float>(x));
    plan->bind(slots[1], 0, std::span<const float>(w));
    plan->bind(slots[2], 0, std::span<float>(y));
  }

  Buffer<float> run() {
    std::ranges::fill(y, 0.0f);
    plan->run();
    return y;
  }

  Buffer<float> x, w, y;
  std::unique_ptr<Plan<float>> plan;
};

TEST(Plan, plans_that_share_memory_compute_what_they_compute_alone) {
  const auto shared = std::make_shared<PlanResources<float>>(1);
  TwoProducts small(3, shared);
  const Buffer<float> alone = small.run();
  TwoProducts large(300, shared);  // the arena grows, and may move
  EXPECT_GE(shared->trunk.size(), 300 * 8);
  EXPECT_EQ(large.run(), TwoProducts(300, nullptr).run());
  EXPECT_EQ(small.run(), alone);
  const std::size_t of_both = shared->trunk.size();
  TwoProducts(200, shared).run();
  EXPECT_EQ(shared->trunk.size(), of_both);
}

}  // namespace
}  // namespace lipizz::nn::plan_test
