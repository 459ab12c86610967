#include "nn/cpu/plan.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/one_operation.hpp"
#include "nn/support.hpp"

namespace lipizz::nn {
namespace {

// One operation on normals of these shapes.
Buffer<float> run_once(const Engine& engine, const Operation& operation,
                       const std::vector<Shape>& inputs, const Attributes& attributes) {
  std::vector<testing::Operand<float>> operands;
  for (const Shape& shape : inputs) {
    operands.push_back(testing::drawn(shape, static_cast<std::uint32_t>(operands.size())));
  }
  return testing::run_once(engine, operation, std::move(operands), attributes);
}

// Odd sizes on purpose: nothing may depend on full vectors.
TEST(Plan, every_engine_agrees_with_the_reference) {
  for (const Engine& engine : testing::engines()) {
    for (const std::uint32_t n : {1U, 3U, 17U, 100U}) {
      for (const Activation activation :
           {Activation::kNone, Activation::kRelu, Activation::kLeakyRelu, Activation::kTanh,
            Activation::kSigmoid}) {
        const Attributes how{.activation = activation};
        for (const std::uint32_t m : {1U, 5U, 64U}) {
          EXPECT_LT(testing::relative_l2(run_once(engine, kLinear, {{n, 37}, {37, m}, {m}}, how),
                                         run_once({}, kLinear, {{n, 37}, {37, m}, {m}}, how)),
                    1e-6);
        }
        EXPECT_LT(testing::relative_l2(run_once(engine, kActivation, {{n, 13}}, how),
                                       run_once({}, kActivation, {{n, 13}}, how)),
                  1e-6);
        EXPECT_LT(
            testing::relative_l2(run_once(engine, kActivationGradient, {{n, 13}, {n, 13}}, how),
                                 run_once({}, kActivationGradient, {{n, 13}, {n, 13}}, how)),
            1e-6);
      }
      for (const auto& [a, b, how] : std::vector<std::tuple<Shape, Shape, Attributes>>{
               {{n, 7}, {7, 9}, {}},
               {{7, n}, {7, 9}, {.transpose_a = true}},
               {{n, 7}, {9, 7}, {.transpose_b = true}},
               {{7, n}, {9, 7}, {.transpose_a = true, .transpose_b = true}},
               {{n, 37}, {n, 1}, {.transpose_a = true}},
               {{n, 1}, {37, 1}, {.transpose_b = true}}}) {
        EXPECT_LT(testing::relative_l2(run_once(engine, kMatmul, {a, b}, how),
                                       run_once({}, kMatmul, {a, b}, how)),
                  1e-6);
      }
      EXPECT_LT(testing::relative_l2(run_once(engine, kSumRows, {{n, 21}}, {}),
                                     run_once({}, kSumRows, {{n, 21}}, {})),
                1e-6);
      EXPECT_EQ(run_once(engine, kAdd, {{n, 5}, {n, 5}}, {}),
                run_once({}, kAdd, {{n, 5}, {n, 5}}, {}));
    }
  }
}

TEST(Plan, every_engine_normalises_spectra_like_the_reference) {
  for (const Engine& engine : testing::engines()) {
    for (const auto& [w, u, v] : std::vector<std::tuple<Shape, Shape, Shape>>{
             {{3, 3, 5, 37}, {37}, {45}}, {{64, 16}, {16}, {64}}, {{7, 1}, {1}, {7}}}) {
      EXPECT_LT(testing::relative_l2(run_once(engine, kSpectralScale, {w, u, v}, {}),
                                     run_once({}, kSpectralScale, {w, u, v}, {})),
                1e-5);
      EXPECT_LT(testing::relative_l2(run_once(engine, kSpectralScaleGradient, {w, w, u, v}, {}),
                                     run_once({}, kSpectralScaleGradient, {w, w, u, v}, {})),
                1e-5);
    }
  }
}

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

TEST(Plan, every_engine_iterates_powers_like_the_reference) {
  for (const Engine& engine : testing::engines()) {
    for (const std::uint32_t n_out : {1U, 16U, 37U}) {
      const Buffer<float> found = iterate_once(engine, 45, n_out);
      EXPECT_LT(testing::relative_l2(found, iterate_once({}, 45, n_out)), 1e-5);
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

TEST(Plan, double_precision_lives_on_the_reference_only) {
  Graph g;
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 4, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {2, 2});
  g.place(g.apply(kAdd, {x, x}), out, 0);
  EXPECT_THROW(Plan<double>({Backend::kOneDnn, NumericsLevel::kBaseline}, g, 1), InternalError);
  EXPECT_NO_THROW(Plan<double>({}, g, 1));
}

}  // namespace
}  // namespace lipizz::nn
