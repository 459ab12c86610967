#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "nn/base/precision.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/graph/operations.hpp"
#include "nn/operation_conformance.hpp"

// Every operation on every engine and device: all its examples, against the reference in double,
// which shares no loop with them.
namespace lipizz::nn::operations_conformance_test {
namespace {

class OperationConformance : public ::testing::TestWithParam<const Operation*> {};

TEST_P(OperationConformance, every_device_agrees_with_the_reference_in_double) {
  const Operation& operation = *GetParam();
  ASSERT_NE(operation.examples, nullptr) << operation.name << " has no examples";
  const std::vector<Example> examples = operation.examples();
  const auto devices = testing::devices();
  ASSERT_FALSE(examples.empty()) << operation.name << " has no examples";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const testing::SampledExample example(operation, examples[i]);
    const auto wanted = example.run_reference();
    for (const auto& device : devices) {
      EXPECT_LE(testing::excess(example.run(*device), wanted), 1)
          << operation.name << ", example " << i << " on " << device->name();
    }
  }
}

TEST_P(OperationConformance, in_place_gives_the_same_bits) {
  const Operation& operation = *GetParam();
  if (!operation.in_place) return;
  const auto devices = testing::devices();
  for (const Example& drawn : operation.examples()) {
    const testing::SampledExample apart(operation, drawn);
    for (std::uint32_t over = 0; over < drawn.inputs.size(); ++over) {
      const testing::SampledExample in_place(operation, drawn, over);
      for (const auto& device : devices) {
        EXPECT_EQ(in_place.run(*device), apart.run(*device))
            << operation.name << " over input " << over << " on " << device->name();
      }
    }
  }
}

// A reference of which one number is a little off.
class SpoiledKernel final : public Kernel<float> {
 public:
  SpoiledKernel(const Graph& graph, ValueId value) : graph_(graph), value_(value) {}
  void run(float* const* values) override {
    const Node& node = graph_.node(value_);
    node.operation->reference.f32(graph_, value_, values);
    const ValueId written = node.operation->updates_inputs ? node.inputs[0] : value_;
    float& last = values[written.index][n_elements(graph_.shape(written)) - 1];
    last += 1e-3f * (1 + std::abs(last));
  }

 private:
  const Graph& graph_;
  ValueId value_;
};

TEST_P(OperationConformance, finds_a_kernel_that_is_a_little_off) {
  const Operation& operation = *GetParam();
  HostDevice spoiled({.make_kernel = [](const Graph& graph, ValueId value) {
    return std::unique_ptr<Kernel<float>>(std::make_unique<SpoiledKernel>(graph, value));
  }});
  for (const Example& drawn : operation.examples()) {
    const testing::SampledExample example(operation, drawn);
    EXPECT_GT(testing::excess(example.run(spoiled), example.run_reference()), 1) << operation.name;
  }
}

// Long enough that a GPU takes their sums in several launches (nn/cuda/loops.cuh, slices.hpp).
TEST(LongSums, agree_with_the_reference_in_double) {
  const Window window{.kernel = 3, .padding = 1};
  const Window in_groups{.kernel = 3, .padding = 1, .groups = 2};
  const std::vector<std::pair<const Operation*, Example>> cases{
      {&kSumRows, {{{{1100, 5}}}}},
      {&kSumRows, {{{{1300, 33}}}, {.groups = 2}}},
      {&kStatistics, {{{{1300, 5}}}, {.groups = 2, .number = 1e-5f}}},
      {&kMatmul, {{{{3, 20480}}, {{20480, 4}}}}},
      {&kMatmul, {{{{2048, 3}}, {{5, 2048}}}, {.transpose_a = true, .transpose_b = true}}},
      {&kConvolutionWeightGradient, {{{{5, 16, 16, 3}}, {{5, 16, 16, 4}}}, {.window = window}}},
      {&kConvolutionWeightGradient, {{{{4, 16, 16, 4}}, {{4, 16, 16, 6}}}, {.window = in_groups}}}};
  const auto devices = testing::devices();
  for (const auto& [operation, drawn] : cases) {
    const testing::SampledExample example(*operation, drawn);
    const auto wanted = example.run_reference();
    for (const auto& device : devices) {
      EXPECT_LE(testing::excess(example.run(*device), wanted), 1)
          << operation->name << " on " << device->name();
    }
  }
}

// Parts of a batch that do not come out even, with a large mean beside a small variance.
TEST(PoolStatistics, of_parts_are_those_of_the_batch) {
  constexpr std::uint32_t kRows = 11, kParts = 3, kChannels = 2;
  std::vector<double> x(std::size_t{kRows} * kChannels);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1000 + 0.001 * static_cast<double>(i * i % 17);
  const auto statistics_of = [&](std::size_t first, std::size_t n) {
    std::vector<double> all;
    for (std::size_t c = 0; c < kChannels; ++c) {
      double mean = 0;
      for (std::size_t row = first; row < first + n; ++row) mean += x[row * kChannels + c];
      all.push_back(mean / static_cast<double>(n));
    }
    for (std::size_t c = 0; c < kChannels; ++c) {
      double square = 0;
      for (std::size_t row = first; row < first + n; ++row) {
        square += std::pow(x[row * kChannels + c] - all[c], 2);
      }
      all.push_back(square / static_cast<double>(n));
    }
    return all;
  };
  Graph g;
  const SlotId slot = g.add_slot("parts", kParts * 2 * kChannels, Slot::Access::kRead);
  const ValueId pooled =
      g.apply(kPoolStatistics, {g.view(slot, 0, {kParts, 1, 2, kChannels})}, {.shape = {kRows}});
  std::vector<double> parts;
  for (const auto& [first, n] : {std::pair{0, 4}, std::pair{4, 4}, std::pair{8, 3}}) {
    const std::vector<double> of_part = statistics_of(first, n);
    parts.insert(parts.end(), of_part.begin(), of_part.end());
  }
  std::vector<double> found(2 * kChannels);
  double* const values[] = {parts.data(), found.data()};
  kPoolStatistics.reference.f64(g, pooled, values);
  const std::vector<double> wanted = statistics_of(0, kRows);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i] / wanted[i], 1, 1e-9) << i;
  }
}

// A slice has no kernel: its result lies in its input. Collectives need other ranks:
// tests/parallel. Bits in memory of floats mean nothing in doubles: packed_values_test.cpp.
std::vector<const Operation*> computed() {
  std::vector<const Operation*> all;
  for (const Operation* operation : operations()) {
    if (operation != &kSlice && operation->reference.f64 != nullptr) all.push_back(operation);
  }
  return all;
}

class OperationPrecision : public ::testing::TestWithParam<Precision> {};

TEST_P(OperationPrecision, devices_agree_within_its_tolerance) {
  const Precision precision = GetParam();
  const auto devices = testing::devices_in(precision);
  if (devices.empty()) GTEST_SKIP() << "nothing here computes in " << to_string(precision);
  for (const auto& device : devices) {
    for (const Operation* operation : computed()) {
      for (const Example& drawn : operation->examples()) {
        const testing::SampledExample example(*operation, drawn);
        EXPECT_LE(
            testing::excess(example.run(*device), example.run_reference(), tolerance_of(precision)),
            1)
            << operation->name << " in " << to_string(precision);
      }
    }
  }
}

TEST(Bf16Products, have_kernels_of_their_own_that_round_in_workspace) {
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  Graph graph;
  const SlotId slot = graph.add_slot("in", 256, Slot::Access::kRead);
  const ValueId x = graph.view(slot, 0, {16, 16});
  const ValueId product = graph.apply(kMatmul, {x, x});
  Engine engine{Backend::kOneDnn, detect_numerics_level()};
  EXPECT_EQ(kernel_workspace_bytes(engine, graph, product), 0U);
  engine.precision = Precision::kBf16;
  EXPECT_GE(kernel_workspace_bytes(engine, graph, product), 2 * 256 * sizeof(Bf16));
}

// Products whose second factor is read where it lies, packed, or transposed with the result.
TEST(Products, keep_within_the_workspace_that_was_estimated) {
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  for (const Precision precision : {Precision::kF32, Precision::kBf16}) {
    const Engine engine = fastest_engine(precision);
    if (precision == Precision::kBf16 && !has_bf16(engine.level)) continue;
    for (const auto& [rows, terms, columns] :
         {std::tuple{16U, 600U, 304U}, {100U, 64U, 256U}, {300U, 101U, 70U}}) {
      for (const bool transpose_b : {false, true}) {
        Graph graph;
        const SlotId slot = graph.add_slot("in", 600 * 304, Slot::Access::kRead);
        const ValueId a = graph.view(slot, 0, {rows, terms});
        const ValueId b =
            graph.view(slot, 0, transpose_b ? Shape{columns, terms} : Shape{terms, columns});
        const ValueId product = graph.apply(kMatmul, {a, b}, {.transpose_b = transpose_b});
        const auto kernel = make_kernel<float>(engine, graph, product);
        EXPECT_EQ(kernel_workspace_bytes(engine, graph, product),
                  kernel->n_workspace() * sizeof(float))
            << rows << " x " << terms << " x " << columns << " in " << to_string(precision);
      }
    }
  }
}

// With AVX-512 oneDNN has them, if slow ones.
TEST(Bf16Products, are_in_single_precision_where_oneDNN_has_none) {
  const NumericsLevel level = detect_numerics_level();
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  if (level == NumericsLevel::kAvx512) GTEST_SKIP() << "oneDNN has bf16 here";
  HostDevice plain({Backend::kOneDnn, level});
  HostDevice rounding({Backend::kOneDnn, level, nullptr, Precision::kBf16});
  for (const Operation* operation : {&kLinear, &kMatmul, &kBatchMatmul}) {
    for (const Example& drawn : operation->examples()) {
      const testing::SampledExample example(*operation, drawn);
      EXPECT_EQ(example.run(rounding), example.run(plain)) << operation->name;
    }
  }
}

// The square of a matrix of ones and a little, which bf16 does not know.
float corner_of_a_square(Device& device, Exactness exactness) {
  constexpr std::uint32_t kSize = 16;
  Graph graph;
  const SlotId in = graph.add_slot("in", kSize * kSize, Slot::Access::kRead);
  const SlotId out = graph.add_slot("out", kSize * kSize, Slot::Access::kReadWrite);
  const ValueId x = graph.view(in, 0, {kSize, kSize});
  graph.place(graph.apply(kMatmul, {x, x}), out, 0);
  std::vector<float> values(kSize * kSize, 1 + 0x1p-10f);
  std::vector<float> found(values.size());
  const auto plan = device.plan(graph, 1, exactness);
  plan->bind(in, 0, {values.data(), values.size()});
  plan->bind(out, 0, {found.data(), found.size()});
  plan->run();
  return found.front();
}

TEST(Bf16Products, round_their_factors_but_in_strict_plans) {
  const Engine engine = fastest_engine(Precision::kBf16);
  if (!has_bf16(engine.level)) GTEST_SKIP() << "no bf16 here";
  HostDevice device(engine);
  EXPECT_EQ(corner_of_a_square(device, Exactness::kOfDevice), 16.0f);
  EXPECT_GT(corner_of_a_square(device, Exactness::kStrict), 16.0f);
}

constexpr auto kNameOfPrecision = [](const auto& test) {
  return std::string(to_string(test.param));
};

INSTANTIATE_TEST_SUITE_P(, OperationPrecision,
                         ::testing::Values(Precision::kTf32, Precision::kBf16), kNameOfPrecision);

INSTANTIATE_TEST_SUITE_P(, OperationConformance, ::testing::ValuesIn(computed()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace lipizz::nn::operations_conformance_test
