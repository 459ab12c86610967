#include "nn/train/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "nn/graph/operations.hpp"
#include "nn/step_run.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::descent_test {
namespace {

const NetworkSpec kNetwork{{3}, {{2}}};

// A step of that network whose losses, one for each micro-batch, are `number` times the mean error
// of its results on as many samples.
StepGraph step_of(std::span<const float> numbers, Descent::Updates updates,
                  const OptimizerSpec& optimizer = testing::kPlainDescent) {
  StepGraph step;
  Graph& g = step.graph;
  const std::size_t n = parameter_layout(kNetwork).n_padded;
  step.parameters = g.add_slot("parameters", n, Slot::Access::kReadWrite);
  step.shard.n = n;
  for (std::uint32_t m = 0; m < entry(optimizer.kind).n_moments; ++m) {
    step.moments.push_back(g.add_slot("moment " + std::to_string(m), n, Slot::Access::kReadWrite));
  }
  step.settings = g.add_slot("settings", StepSettings::kInputs, Slot::Access::kRead);
  step.samples = g.add_slot("samples", 3 * numbers.size(), Slot::Access::kRead);
  const SlotId zeros = g.add_slot("zeros", 2, Slot::Access::kRead);
  Descent descent(step, kNetwork, optimizer, updates);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ValueId y = add_network(g, kNetwork, step.parameters,
                                  g.view(*step.samples, 3 * i, {1, 3}), {.mode = Mode::kTraining});
    descent.add({g.apply(kAbsoluteError, {y, g.view(zeros, 0, {1, 2})}, {.number = numbers[i]})});
  }
  descent.finish();
  return step;
}

std::vector<float> gradient(std::span<const float> numbers, std::span<const float> samples,
                            Descent::Updates updates,
                            const OptimizerSpec& optimizer = testing::kPlainDescent) {
  testing::StepRun<float> run(testing::engines().back(), step_of(numbers, updates, optimizer));
  run.fill(*run.step().samples, samples);
  return run.gradient(testing::initial(kNetwork, 1));
}

TEST(Descent, adds_up_the_gradients_of_micro_batches) {
  using Updates = Descent::Updates;
  const Buffer<float> samples = testing::normals(6, 1);
  const std::vector<float> first =
      gradient(std::vector{0.75f}, std::span(samples).first(3), Updates::kTogether);
  const std::vector<float> second =
      gradient(std::vector{0.25f}, std::span(samples).last(3), Updates::kOneByOne);
  const std::vector<float> both = gradient(std::vector{0.75f, 0.25f}, samples, Updates::kTogether);
  EXPECT_NE(first, second);
  for (std::size_t i = 0; i < both.size(); ++i) EXPECT_EQ(both[i], first[i] + second[i]);
}

// The parameters after a step, and the first moments.
std::pair<std::vector<float>, std::vector<float>> after_step(Descent::Updates updates,
                                                             const OptimizerSpec& optimizer) {
  testing::StepRun<float> run(testing::engines().back(),
                              step_of(std::vector{1.0f}, updates, optimizer));
  run.fill(*run.step().samples, testing::normals(3, 1));
  std::vector<float> moments = run.gradient(testing::initial(kNetwork, 1));
  const std::span<const float> parameters = run.at(run.step().parameters);
  return {{parameters.begin(), parameters.end()}, std::move(moments)};
}

TEST(Descent, updates_tensor_by_tensor_where_an_optimizer_looks_at_them) {
  using enum Descent::Updates;
  for (const OptimizerEntry& row : optimizers()) {
    const OptimizerSpec optimizer{.kind = find_optimizer(row.name)};
    EXPECT_EQ(after_step(kTogether, optimizer), after_step(kOneByOne, optimizer)) << row.name;
  }
}

double length_of(std::span<const float> values) {
  double square = 0;
  for (const float value : values) square += double{value} * double{value};
  return std::sqrt(square);
}

TEST(Descent, brings_a_gradient_that_is_too_long_to_its_limit) {
  const Buffer<float> samples = testing::normals(6, 1);
  const std::vector numbers{0.75f, 0.25f};
  const std::vector<float> plain = gradient(numbers, samples, Descent::Updates::kTogether);
  const double length = length_of(plain);
  const auto clipped = [&](double limit) {
    OptimizerSpec optimizer = testing::kPlainDescent;
    optimizer.clip_norm = limit;
    return gradient(numbers, samples, Descent::Updates::kTogether, optimizer);
  };
  EXPECT_EQ(clipped(2 * length), plain);
  const std::vector<float> half = clipped(length / 2);
  EXPECT_NEAR(length_of(half), length / 2, 1e-5 * length);
  for (std::size_t i = 0; i < half.size(); ++i) EXPECT_NEAR(half[i], plain[i] / 2, 1e-5);
}

TEST(Descent, brings_each_number_of_a_gradient_to_its_limit) {
  const Buffer<float> samples = testing::normals(6, 1);
  const std::vector numbers{0.75f, 0.25f};
  const auto clipped = [&](double norm, double value) {
    OptimizerSpec optimizer = testing::kPlainDescent;
    optimizer.clip_norm = norm;
    optimizer.clip_value = value;
    return gradient(numbers, samples, Descent::Updates::kTogether, optimizer);
  };
  for (const double norm : {0.0, 0.5}) {
    const std::vector<float> before = clipped(norm, 0);
    const float largest = std::abs(
        *std::ranges::max_element(before, {}, [](float number) { return std::abs(number); }));
    EXPECT_EQ(clipped(norm, 2 * largest), before);
    const float limit = largest / 2;
    std::vector<float> expected = before;
    for (float& number : expected) number = std::clamp(number, -limit, limit);
    EXPECT_NE(expected, before);
    EXPECT_EQ(clipped(norm, limit), expected);
  }
}

TEST(Descent, gives_the_losses_of_all_micro_batches) {
  const StepGraph step = step_of(std::vector{0.5f, 0.25f, 0.25f}, Descent::Updates::kTogether);
  EXPECT_EQ(step.graph.slots()[step.losses.index].n_elements, 3U);
}

}  // namespace
}  // namespace lipizz::nn::descent_test
