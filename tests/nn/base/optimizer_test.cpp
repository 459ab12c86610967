#include "nn/base/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kN = 16;

struct Trajectory {
  Buffer<float> w = testing::normals(kN, 1);
  Buffer<float> moments;
};

Buffer<float> gradient(std::uint32_t step) {
  return testing::normals(kN, 100 + step);
}

// Five updates through a plan of the engine.
Trajectory run(const Engine& engine, const OptimizerSpec& optimizer, float rate) {
  Graph g;
  const std::uint32_t n_moments = entry(optimizer.kind).n_moments;
  const SlotId w = g.add_slot("w", kN, Slot::Access::kReadWrite);
  const SlotId m = g.add_slot("m", n_moments * kN, Slot::Access::kReadWrite);
  const SlotId dw = g.add_slot("dw", kN, Slot::Access::kRead);
  const SlotId settings = g.add_slot("settings", 2, Slot::Access::kRead);
  std::vector<ValueId> inputs{g.view(w, 0, {kN}), g.view(dw, 0, {kN}), g.view(settings, 0, {2})};
  for (std::uint32_t i = 0; i < n_moments; ++i) inputs.push_back(g.view(m, i * kN, {kN}));
  g.apply(kOptimizerStep, inputs, {.optimizer = optimizer});
  Plan<float> plan(engine, g, 1);
  Trajectory t;
  t.moments.resize(std::size_t{n_moments} * kN);
  plan.bind(w, 0, std::span<float>(t.w));
  plan.bind(m, 0, std::span<float>(t.moments));
  for (std::uint32_t step = 0; step < 5; ++step) {
    const Buffer<float> g_now = gradient(step);
    const std::vector<float> values{rate, static_cast<float>(step)};
    plan.bind(dw, 0, std::span<const float>(g_now));
    plan.bind(settings, 0, std::span<const float>(values));
    plan.run();
  }
  return t;
}

// The same by the published formulas, one number at a time in double.
double by_hand(OptimizerKind kind, std::uint32_t i, double rate) {
  double w = testing::normals(kN, 1)[i];
  double m = 0, v = 0;
  const double b1 = 0.5, b2 = 0.999, eps = 1e-8;
  for (std::uint32_t step = 0; step < 5; ++step) {
    const double g = gradient(step)[i];
    if (kind == OptimizerKind::kSgd) {
      m = b1 * m + g;
      w -= rate * m;
    } else if (kind == OptimizerKind::kRmsProp) {
      v = b2 * v + (1 - b2) * g * g;
      w -= rate * g / (std::sqrt(v) + eps);
    } else {
      m = b1 * m + (1 - b1) * g;
      v = b2 * v + (1 - b2) * g * g;
      const double m_hat = m / (1 - std::pow(b1, step + 1));
      const double v_hat = v / (1 - std::pow(b2, step + 1));
      w -= rate * m_hat / (std::sqrt(v_hat) + eps);
    }
  }
  return w;
}

TEST(Optimizers, follow_their_formulas_on_every_engine) {
  for (const Engine& engine : testing::engines()) {
    for (const OptimizerEntry& optimizer : optimizers()) {
      const Trajectory t = run(engine, {.kind = optimizer.kind}, 0.01f);
      for (std::uint32_t i = 0; i < kN; ++i) {
        EXPECT_NEAR(t.w[i], by_hand(optimizer.kind, i, 0.01), 2e-6)
            << optimizer.name << " on " << to_string(engine.backend);
      }
    }
  }
}

TEST(Optimizers, a_rate_of_zero_moves_nothing) {
  for (const OptimizerEntry& optimizer : optimizers()) {
    EXPECT_EQ(run({}, {.kind = optimizer.kind}, 0).w, Trajectory{}.w) << optimizer.name;
  }
}

TEST(Optimizers, a_misspelt_name_is_refused) {
  EXPECT_EQ(find_optimizer("adam").kind, OptimizerKind::kAdam);
  EXPECT_THROW(find_optimizer("adma"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn
