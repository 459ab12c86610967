#include "nn/graph/operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/one_operation.hpp"

// Operations against their definitions, on every engine. Odd sizes on purpose.
namespace lipizz::nn::operations_test {
namespace {

using testing::drawn;
using testing::Operand;
using testing::run_once;

void expect_near(const Buffer<float>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << i;
}

constexpr std::uint32_t kBatch = 3;
constexpr std::uint32_t kRows = 5;
constexpr std::uint32_t kInner = 7;
constexpr std::uint32_t kColumns = 19;

std::vector<double> product_of_batches(const Buffer<float>& a, bool ta, const Buffer<float>& b,
                                       bool tb) {
  std::vector<double> c;
  for (std::uint32_t n = 0; n < kBatch; ++n) {
    for (std::uint32_t i = 0; i < kRows; ++i) {
      for (std::uint32_t j = 0; j < kColumns; ++j) {
        double sum = 0;
        for (std::uint32_t k = 0; k < kInner; ++k) {
          const std::size_t in_a = n * kRows * kInner + (ta ? k * kRows + i : i * kInner + k);
          const std::size_t in_b = n * kInner * kColumns + (tb ? j * kInner + k : k * kColumns + j);
          sum += double{a[in_a]} * b[in_b];
        }
        c.push_back(sum);
      }
    }
  }
  return c;
}

TEST(Operations, batch_matmul_multiplies_one_by_one_each_transposed_or_not) {
  for (const auto& device : testing::devices()) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        const auto a = drawn(ta ? Shape{kBatch, kInner, kRows} : Shape{kBatch, kRows, kInner}, 1);
        const auto b =
            drawn(tb ? Shape{kBatch, kColumns, kInner} : Shape{kBatch, kInner, kColumns}, 2);
        expect_near(run_once(*device, kBatchMatmul, {a, b}, {.transpose_a = ta, .transpose_b = tb}),
                    product_of_batches(a.values, ta, b.values, tb), 1e-5);
      }
    }
  }
}

// x [6, 5, C] in G equal parts of its rows, with factors [G, C].
struct Parted {
  Parted(std::uint32_t g, std::uint32_t c)
      : n_parts(g), n(c), x(drawn({6, 5, c}, 1)), y(drawn({6, 5, c}, 2)) {}
  [[nodiscard]] Operand<float> factors(std::uint32_t key) const { return drawn({n_parts, n}, key); }
  // Where the factor of element i lies.
  [[nodiscard]] std::size_t at(std::size_t i) const {
    return i / n / (kPartedRows / n_parts) * n + i % n;
  }
  [[nodiscard]] std::vector<double> each(const std::function<double(std::size_t)>& of) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < x.values.size(); ++i) values.push_back(of(i));
    return values;
  }
  [[nodiscard]] std::vector<double> sums(const std::function<double(std::size_t)>& of) const {
    std::vector<double> values(n_parts * n);
    for (std::size_t i = 0; i < x.values.size(); ++i) values[at(i)] += of(i);
    return values;
  }
  static constexpr std::uint32_t kPartedRows = 30;
  std::uint32_t n_parts;
  std::uint32_t n;
  Operand<float> x;
  Operand<float> y;
};

std::vector<Parted> all_parted() {
  std::vector<Parted> all;
  for (const std::uint32_t groups : {1U, 2U, 6U, 30U}) {
    for (const std::uint32_t channels : {1U, 3U, 16U, 37U}) all.emplace_back(groups, channels);
  }
  return all;
}

TEST(Operations, sums_over_rows_are_taken_of_each_part) {
  for (const auto& device : testing::devices()) {
    for (const Parted& p : all_parted()) {
      const Attributes in_parts{.groups = p.n_parts};
      expect_near(run_once(*device, kSumRows, {p.x}, in_parts),
                  p.sums([&](std::size_t i) { return p.x.values[i]; }), 1e-5);
      expect_near(run_once(*device, kProductSums, {p.x, p.y}, in_parts),
                  p.sums([&](std::size_t i) { return double{p.x.values[i]} * p.y.values[i]; }),
                  1e-5);
    }
  }
}

TEST(Operations, factors_belong_to_the_rows_of_their_part) {
  for (const auto& device : testing::devices()) {
    for (const Parted& p : all_parted()) {
      const auto s = p.factors(3);
      expect_near(run_once(*device, kScaleRows, {p.x, s}),
                  p.each([&](std::size_t i) { return p.x.values[i] * s.values[p.at(i)]; }), 1e-6);
      expect_near(run_once(*device, kBroadcastRows, {s}, {.shape = p.x.shape}),
                  p.each([&](std::size_t i) { return s.values[p.at(i)]; }), 0);
    }
  }
}

TEST(Operations, modulate_scales_shifts_and_activates) {
  for (const auto& device : testing::devices()) {
    for (const Parted& p : all_parted()) {
      const auto s = p.factors(3);
      const auto b = p.factors(4);
      const auto z = [&](std::size_t i) {
        return double{p.x.values[i]} * s.values[p.at(i)] + b.values[p.at(i)];
      };
      expect_near(run_once(*device, kModulate, {p.x, s, b}), p.each(z), 1e-6);
      expect_near(run_once(*device, kModulate, {p.x, s, b}, {.activation = Activation::kRelu}),
                  p.each([&](std::size_t i) { return std::max(0.0, z(i)); }), 1e-6);
      expect_near(run_once(*device, kModulate, {p.x, s, b}, {.activation = Activation::kTanh}),
                  p.each([&](std::size_t i) { return std::tanh(z(i)); }), 1e-6);
    }
  }
}

TEST(Operations, parts_are_equal) {
  Graph g;
  const SlotId slot = g.add_slot("in", 100, Slot::Access::kRead);
  const ValueId x = g.view(slot, 0, {6, 3});
  const ValueId y = g.view(slot, 0, {6, 2});
  const ValueId of_four = g.view(slot, 0, {4, 3});
  EXPECT_THROW(g.apply(kScaleRows, {x, of_four}), InternalError);
  EXPECT_THROW(g.apply(kModulate, {x, of_four, of_four}), InternalError);
  EXPECT_THROW(g.apply(kBroadcastRows, {of_four}, {.shape = {6, 3}}), InternalError);
  EXPECT_THROW(g.apply(kSumRows, {x}, {.groups = 4}), InternalError);
  EXPECT_THROW(g.apply(kProductSums, {x, x}, {.groups = 4}), InternalError);
  EXPECT_THROW(g.apply(kProductSums, {x, y}), InternalError);
}

TEST(Operations, softmax_has_sum_one_however_large_its_values) {
  for (const auto& device : testing::devices()) {
    const double e = std::exp(1.0);
    expect_near(run_once(*device, kSoftmax, {{{2, 3}, {1, 0, 1, -1e4f, 1e4f, 1e4f}}}),
                {e / (2 * e + 1), 1 / (2 * e + 1), e / (2 * e + 1), 0, 0.5, 0.5}, 1e-6);
  }
}

TEST(Operations, an_embedding_picks_rows_and_its_gradient_adds_them_up) {
  for (const auto& device : testing::devices()) {
    const Operand<float> classes{{3}, {2, 0, 2}};
    expect_near(run_once(*device, kEmbedding, {classes, {{3, 2}, {1, 2, 3, 4, 5, 6}}}),
                {5, 6, 1, 2, 5, 6}, 0);
    expect_near(run_once(*device, kEmbeddingGradient, {classes, {{3, 2}, {1, 2, 3, 4, 5, 6}}},
                         {.shape = {3, 2}}),
                {3, 4, 0, 0, 6, 8}, 0);
  }
}

TEST(Operations, dropout_keeps_what_is_not_below_its_rate) {
  const float below = std::nextafter(0.25f, 0.0f);
  for (const auto& device : testing::devices()) {
    expect_near(
        run_once(*device, kDropout, {{{2, 2}, {3, 3, -6, 9}}, {{4}, {0, below, 0.25f, 0.9f}}},
                 {.number = 0.25f}),
        {0, 0, -8, 12}, 1e-5);
  }
}

TEST(Operations, dropout_drops_its_share_and_keeps_the_mean) {
  constexpr std::uint32_t kMany = 1 << 16;
  Operand<float> uniforms{{kMany}, Buffer<float>(kMany)};
  Random(3, Purpose::kTest).uniforms(0, uniforms.values);
  const Operand<float> ones{{kMany}, Buffer<float>(kMany, 1.0f)};
  for (const auto& device : testing::devices()) {
    for (const double rate : {0.0, 0.2, 0.5, 0.9}) {
      const auto y =
          run_once(*device, kDropout, {ones, uniforms}, {.number = static_cast<float>(rate)});
      const double dropped = static_cast<double>(std::ranges::count(y, 0.0f)) / kMany;
      const double five_errors = 5 * std::sqrt(rate * (1 - rate) / kMany);
      EXPECT_NEAR(dropped, rate, five_errors + 1e-6);
      double sum = 0;
      for (const float value : y) sum += double{value};
      EXPECT_NEAR(sum / kMany, 1, five_errors / (1 - rate) + 1e-6);
    }
  }
}

TEST(Operations, interpolate_mixes_each_row_by_its_own_number) {
  for (const auto& device : testing::devices()) {
    expect_near(run_once(*device, kInterpolate,
                         {{{3, 2}, {1, 2, 3, 4, 5, 6}},
                          {{3, 2}, {0, 0, 7, 8, 1, 2}},
                          {{3, 1}, {0.5f, 0, 0.75f}}}),
                {0.5, 1, 7, 8, 4, 5}, 1e-6);
  }
}

// The values' standard deviation is 2.
TEST(Operations, perturb_moves_each_value_by_a_share_of_the_deviation_of_all) {
  for (const auto& device : testing::devices()) {
    expect_near(run_once(*device, kPerturb, {{{2, 2}, {3, 7, 3, 7}}, {{2, 2}, {0, 1, 0.5f, 0.25f}}},
                         {.number = 0.5f}),
                {3, 8, 3.5, 7.25}, 1e-6);
  }
}

TEST(Operations, an_ema_moves_faster_at_the_start) {
  for (const auto& device : testing::devices()) {
    for (const float step : {0.0f, 8.0f, 1e5f}) {
      const double decay = std::min(0.99, (1.0 + step) / (10.0 + step));
      expect_near(run_once(*device, kUpdateEma,
                           {{{3}, {1, -2, 5}}, {{3}, {1, 8, 6}}, {{4}, {0.1f, step, 0, 0}}},
                           {.number = 0.99f}),
                  {1, -2 + (1 - decay) * 10, 5 + (1 - decay)}, 1e-5);
    }
  }
}

TEST(Operations, absolute_error_is_a_mean_and_has_its_signs_as_gradient) {
  const std::vector<Operand<float>> in{{{2, 2}, {1, 4, -1, 2}}, {{4}, {2, 1, -1, -2}}};
  for (const auto& device : testing::devices()) {
    expect_near(run_once(*device, kAbsoluteError, in, {.number = 10}), {20}, 1e-5);
    expect_near(run_once(*device, kAbsoluteErrorGradient, in, {.number = 10}), {-2.5, 2.5, 0, 2.5},
                1e-6);
  }
}

// A draw of the sample 5, and whole numbers as their bits.
Operand<float> a_draw(const Random& random) {
  Operand<float> operand{{Draw::kSize}, Buffer<float>(Draw::kSize)};
  Draw{random.stream(), 5}.write(operand.values.data());
  return operand;
}
Operand<float> bits(const std::vector<std::uint32_t>& numbers) {
  Operand<float> operand{{static_cast<std::uint32_t>(numbers.size())}, {}};
  for (const std::uint32_t number : numbers) operand.values.push_back(float_of(number));
  return operand;
}

TEST(Operations, draw_the_bits_that_the_host_draws) {
  const Random random(0x1234567890ABCDEFULL, Purpose::kTest, {3}, 7);
  Buffer<float> normals(4 * 6);
  random.normals(5, 4, 6, normals);
  Buffer<float> uniforms(33);
  random.uniforms(5, uniforms, 10);
  for (const auto& device : testing::devices()) {
    EXPECT_EQ(run_once(*device, kNormals, {a_draw(random)}, {.shape = {4, 6}}), normals);
    EXPECT_EQ(run_once(*device, kUniforms, {a_draw(random)}, {.shape = {3, 11}, .offset = 10}),
              uniforms);
    EXPECT_EQ(run_once(*device, kClassesInTurn, {a_draw(random)}, {.shape = {4}, .groups = 3}),
              (Buffer<float>{2, 0, 1, 2}));
  }
}

TEST(Operations, samples_and_labels_are_those_of_their_indices) {
  const testing::DrawnSamples source(3, 4);
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < 70; ++i) some.push_back(39 - i % 40);  // more than are read at once
  Buffer<float> samples(70 * 3);
  source.read(some, samples);
  for (const auto& device : testing::devices()) {
    EXPECT_EQ(run_once(*device, kSamples, {bits(some)}, {.source = &source}), samples);
    const Buffer<float> labels = run_once(*device, kLabels, {bits(some)}, {.source = &source});
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(labels[i], some[i] % 4);
  }
}

}  // namespace
}  // namespace lipizz::nn::operations_test
