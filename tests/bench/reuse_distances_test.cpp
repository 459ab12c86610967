#include "reuse_distances.hpp"

#include <gtest/gtest.h>

#include "nn/graph/operations.hpp"

namespace lipizz::bench::reuse_distances_test {
namespace {

using nn::Graph;
using nn::SlotId;
using nn::ValueId;

constexpr double kBytes = 8 * 8 * sizeof(float);  // of a value

TEST(ReuseDistances, are_the_memory_that_was_touched_since) {
  Graph g;
  const SlotId in = g.add_slot("in", 64, nn::Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 64, nn::Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {8, 8});
  const ValueId a = g.apply(nn::kMatmul, {x, x});
  const ValueId b = g.apply(nn::kMatmul, {a, a});
  const ValueId c = g.apply(nn::kMatmul, {x, b});
  g.place(c, out, 0);
  ReuseDistances distances(g);
  for (int step = 0; step < 2; ++step) {
    distances.begin_step();
    const double of_x = distances.read(x).reuse_distance;
    EXPECT_EQ(of_x, step == 0 ? kBytes : 2 * kBytes) << "c was written since";
    EXPECT_EQ(distances.write(a).reuse_distance, kBytes);
    EXPECT_EQ(distances.read(a).reuse_distance, kBytes);
    EXPECT_EQ(distances.write(b).bytes, kBytes);
    EXPECT_EQ(distances.read(x).reuse_distance, 2 * kBytes) << "nobody reads a any more";
    EXPECT_EQ(distances.read(b).reuse_distance, 2 * kBytes);
    distances.write(c);
  }
}

TEST(ReuseDistances, find_parts_in_the_whole) {
  Graph g;
  const SlotId in = g.add_slot("in", 64, nn::Slot::Access::kRead);
  const SlotId joined = g.add_slot("joined", 128, nn::Slot::Access::kInternal);
  const SlotId out = g.add_slot("out", 128, nn::Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {8, 8});
  const ValueId first = g.apply(nn::kMatmul, {x, x});
  const ValueId second = g.apply(nn::kMatmul, {x, x});
  g.place(first, joined, 0);
  g.place(second, joined, 64);
  const ValueId whole = g.view(joined, 0, {16, 8});
  const ValueId rows = g.reshape(whole, {8, 16});
  g.place(g.apply(nn::kAdd, {rows, rows}), out, 0);
  ReuseDistances distances(g);
  distances.begin_step();
  distances.read(x);
  distances.write(first);
  distances.read(x);
  distances.write(second);
  const Move move = distances.read(rows);
  EXPECT_EQ(move.bytes, 2 * kBytes);
  EXPECT_EQ(move.reuse_distance, 2 * kBytes) << "a part was written right before";
  EXPECT_EQ(distances.read(x).reuse_distance, 3 * kBytes) << "both parts were touched since";
}

}  // namespace
}  // namespace lipizz::bench::reuse_distances_test
