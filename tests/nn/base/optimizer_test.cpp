#include "nn/base/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::optimizer_test {
namespace {

constexpr std::uint32_t kN = 16;

struct Trajectory {
  Buffer<float> w = testing::normals(kN, 1);
  Buffer<float> moments;
};

Buffer<float> gradient(std::uint32_t step) {
  return testing::normals(kN, 100 + step);
}

// Some updates of a tensor through a plan of the engine.
Trajectory run(const Engine& engine, const OptimizerSpec& optimizer, float rate,
               const Shape& shape = {kN}, std::uint32_t n_steps = 5) {
  Graph g;
  const std::uint32_t n_moments = entry(optimizer.kind).n_moments;
  const SlotId w = g.add_slot("w", kN, Slot::Access::kReadWrite);
  const SlotId m = g.add_slot("m", n_moments * kN, Slot::Access::kReadWrite);
  const SlotId dw = g.add_slot("dw", kN, Slot::Access::kRead);
  const SlotId settings = g.add_slot("settings", 4, Slot::Access::kRead);
  std::vector<ValueId> inputs{g.view(w, 0, shape), g.view(dw, 0, shape), g.view(settings, 0, {4})};
  for (std::uint32_t i = 0; i < n_moments; ++i) inputs.push_back(g.view(m, i * kN, shape));
  g.apply(kOptimizerStep, inputs, {.optimizer = optimizer});
  Plan<float> plan(engine, g, 1);
  Trajectory t;
  t.moments.resize(std::size_t{n_moments} * kN);
  plan.bind(w, 0, std::span<float>(t.w));
  plan.bind(m, 0, std::span<float>(t.moments));
  for (std::uint32_t step = 0; step < n_steps; ++step) {
    const Buffer<float> g_now = gradient(step);
    const std::vector<float> values{rate, static_cast<float>(step), 0, 0};
    plan.bind(dw, 0, std::span<const float>(g_now));
    plan.bind(settings, 0, std::span<const float>(values));
    plan.run();
  }
  return t;
}

// The published formulas, one number at a time in double: w after the update of `step`, counted
// from zero, whose moments are kept in `m`.
using Formula = double (*)(double w, double g, double rate, std::uint32_t step, double (&m)[2]);

// Large enough for every term to be seen.
constexpr double kBeta1 = 0.5, kBeta2 = 0.999, kEpsilon = 1e-3, kWeightDecay = 0.5;

double adam(double w, double g, double rate, std::uint32_t step, double (&m)[2]) {
  m[0] = kBeta1 * m[0] + (1 - kBeta1) * g;
  m[1] = kBeta2 * m[1] + (1 - kBeta2) * g * g;
  const double m_hat = m[0] / (1 - std::pow(kBeta1, step + 1));
  const double v_hat = m[1] / (1 - std::pow(kBeta2, step + 1));
  return w - rate * m_hat / (std::sqrt(v_hat) + kEpsilon);
}

double adamw(double w, double g, double rate, std::uint32_t step, double (&m)[2]) {
  return adam(w - rate * kWeightDecay * w, g, rate, step, m);
}

double sgd(double w, double g, double rate, std::uint32_t, double (&m)[2]) {
  m[0] = kBeta1 * m[0] + g;
  return w - rate * m[0];
}

double rmsprop(double w, double g, double rate, std::uint32_t, double (&m)[2]) {
  m[0] = kBeta2 * m[0] + (1 - kBeta2) * g * g;
  return w - rate * g / (std::sqrt(m[0]) + kEpsilon);
}

double adabelief(double w, double g, double rate, std::uint32_t step, double (&m)[2]) {
  m[0] = kBeta1 * m[0] + (1 - kBeta1) * g;
  m[1] = kBeta2 * m[1] + (1 - kBeta2) * (g - m[0]) * (g - m[0]) + kEpsilon;
  const double m_hat = m[0] / (1 - std::pow(kBeta1, step + 1));
  const double s_hat = m[1] / (1 - std::pow(kBeta2, step + 1));
  return w - rate * m_hat / (std::sqrt(s_hat) + kEpsilon);
}

// As it is for vectors, whose trust ratio is 1.
double lamb(double w, double g, double rate, std::uint32_t step, double (&m)[2]) {
  return adam(w, g, rate, step, m) - rate * kWeightDecay * w;
}

double lars(double w, double g, double rate, std::uint32_t, double (&m)[2]) {
  m[0] = kBeta1 * m[0] + rate * (g + kWeightDecay * w);
  return w - m[0];
}

// One for each optimizer of the table.
const std::map<std::string_view, Formula> kFormulas{
    {"adam", adam},           {"sgd", sgd},   {"rmsprop", rmsprop}, {"adamw", adamw},
    {"adabelief", adabelief}, {"lamb", lamb}, {"lars", lars}};

double by_hand(Formula formula, std::uint32_t i, double rate) {
  double w = testing::normals(kN, 1)[i];
  double m[2] = {};
  for (std::uint32_t step = 0; step < 5; ++step) w = formula(w, gradient(step)[i], rate, step, m);
  return w;
}

TEST(Optimizers, have_a_formula_each) {
  ASSERT_EQ(optimizers().size(), kFormulas.size());
  for (const OptimizerEntry& optimizer : optimizers()) {
    EXPECT_TRUE(kFormulas.contains(optimizer.name)) << optimizer.name;
  }
}

OptimizerSpec of_formulas(std::string_view name) {
  return {.kind = find_optimizer(name), .epsilon = kEpsilon, .weight_decay = kWeightDecay};
}

TEST(Optimizers, follow_their_formulas_on_every_engine) {
  for (const Engine& engine : testing::engines()) {
    for (const auto& [name, formula] : kFormulas) {
      const Trajectory t = run(engine, of_formulas(name), 0.01f);
      for (std::uint32_t i = 0; i < kN; ++i) {
        EXPECT_NEAR(t.w[i], by_hand(formula, i, 0.01), 2e-6)
            << name << " on " << to_string(engine.backend);
      }
    }
  }
}

double length_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

// Two updates of a matrix, by the published formulas in double.
std::vector<double> two_updates(std::string_view name, double rate) {
  std::vector<double> w(kN), first(kN), second(kN);
  for (std::uint32_t i = 0; i < kN; ++i) w[i] = double{testing::normals(kN, 1)[i]};
  for (std::uint32_t step = 0; step < 2; ++step) {
    std::vector<double> g(kN), moved(kN);
    for (std::uint32_t i = 0; i < kN; ++i) {
      g[i] = double{gradient(step)[i]};
      first[i] = name == "lars" ? first[i] : kBeta1 * first[i] + (1 - kBeta1) * g[i];
      second[i] = kBeta2 * second[i] + (1 - kBeta2) * g[i] * g[i];
      const double m_hat = first[i] / (1 - std::pow(kBeta1, step + 1));
      const double v_hat = second[i] / (1 - std::pow(kBeta2, step + 1));
      const double direction = name == "lars" ? g[i] : m_hat / (std::sqrt(v_hat) + kEpsilon);
      moved[i] = direction + kWeightDecay * w[i];
    }
    const double length = length_of(w);
    const double ratio = name == "lars" ? 0.001 * length / (length_of(g) + kWeightDecay * length)
                                        : length / length_of(moved);
    for (std::uint32_t i = 0; i < kN; ++i) {
      const double step_of_it = rate * ratio * moved[i];
      first[i] = name == "lars" ? kBeta1 * first[i] + step_of_it : first[i];
      w[i] -= name == "lars" ? first[i] : step_of_it;
    }
  }
  return w;
}

TEST(Optimizers, that_are_layerwise_move_a_matrix_by_its_trust_ratio) {
  const std::map<std::string_view, double> rates{{"lamb", 0.1}, {"lars", 50}};
  for (const OptimizerEntry& row : optimizers()) {
    EXPECT_EQ(row.is_layerwise, rates.contains(row.name));
  }
  for (const Engine& engine : testing::engines()) {
    for (const auto& [name, rate] : rates) {
      const Trajectory t = run(engine, of_formulas(name), static_cast<float>(rate), {kN / 4, 4}, 2);
      const std::vector<double> wanted = two_updates(name, rate);
      for (std::uint32_t i = 0; i < kN; ++i) {
        EXPECT_NEAR(t.w[i], wanted[i], 1e-5) << name;
        EXPECT_GT(std::abs(wanted[i] - double{testing::normals(kN, 1)[i]}), 1e-3);
      }
    }
  }
}

TEST(Optimizers, a_rate_of_zero_moves_nothing) {
  for (OptimizerId kind = 0; kind < optimizers().size(); ++kind) {
    EXPECT_EQ(run({}, {.kind = kind}, 0).w, Trajectory{}.w) << entry(kind).name;
  }
}

TEST(Optimizers, that_are_not_in_the_table_are_refused) {
  EXPECT_EQ(entry(find_optimizer("adam")).name, "adam");
  EXPECT_EQ(OptimizerSpec{}.kind, find_optimizer("adam"));
  EXPECT_THROW(find_optimizer("adma"), ConfigError);
  const auto none = static_cast<OptimizerId>(optimizers().size());
  EXPECT_THROW(entry(none), InternalError);
  EXPECT_THROW(run({}, {.kind = none}, 0), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::optimizer_test
