#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "nn/base/buffer.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution_table.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

// The three operations of a convolution: what they are, their symmetry, and the engines' agreement.
namespace lipizz::nn::convolution_test {
namespace {

constexpr Engine kReference{Backend::kReference, NumericsLevel::kBaseline};

struct Case {
  std::uint32_t n, height, width, channels, outputs;
  Window window;
};

// Odd dimensions, windows that leave a rest or hang over the edge, whole images, single points,
// groups, and channels in sixteens.
const std::vector<Case> kCases{
    {3, 7, 5, 3, 4, {.kernel = 3, .stride = 1, .padding = 1}},
    {2, 8, 8, 2, 5, {.kernel = 4, .stride = 2, .padding = 1}},
    {2, 9, 6, 4, 3, {.kernel = 3, .stride = 2, .padding = 0}},
    {5, 4, 4, 6, 2, {.kernel = 4, .stride = 1, .padding = 0}},
    {4, 5, 3, 7, 8, {.kernel = 1, .stride = 1, .padding = 0}},
    {1, 5, 5, 1, 1, {.kernel = 2, .stride = 3, .padding = 2}},
    {2, 6, 6, 3, 33, {.kernel = 5, .stride = 1, .padding = 4}},
    {7, 16, 16, 20, 17, {.kernel = 4, .stride = 2, .padding = 1}},
    {2, 10, 9, 3, 4, {.kernel = 6, .stride = 2, .padding = 2}},
    {2, 9, 12, 2, 3, {.kernel = 6, .stride = 3, .padding = 3}},
    {3, 4, 6, 5, 2, {.kernel = 2, .stride = 1, .padding = 0}},
    {2, 7, 5, 6, 4, {.kernel = 3, .stride = 1, .padding = 1, .groups = 2}},
    {2, 5, 7, 32, 64, {.kernel = 3, .stride = 1, .padding = 1, .groups = 2}},
    {1, 4, 3, 64, 32, {.kernel = 2, .stride = 1, .padding = 0, .groups = 2}},
    {1, 4, 14, 16, 16, {.kernel = 3, .stride = 1, .padding = 2}},
    {1, 6, 5, 32, 16, {.kernel = 5, .stride = 1, .padding = 1}},
    {1, 4, 3, 16, 16, {.kernel = 1, .stride = 1, .padding = 1}},
    {2, 9, 8, 1, 16, {.kernel = 5, .stride = 1, .padding = 0}},
    {2, 5, 7, 3, 32, {.kernel = 3, .stride = 1, .padding = 1}},
    {2, 5, 7, 32, 3, {.kernel = 3, .stride = 1, .padding = 1}},
    {1, 6, 4, 32, 32, {.kernel = 4, .stride = 2, .padding = 1, .groups = 2}},
    {2, 6, 9, 64, 32, {.kernel = 3, .stride = 1, .padding = 0, .groups = 2}},
    {3, 4, 4, 48, 48, {.kernel = 3, .stride = 1, .padding = 1, .groups = 3}},
    {1, 5, 4, 32, 32, {.kernel = 3, .stride = 1, .padding = 2, .groups = 2}},
    {30, 3, 5, 32, 80, {.kernel = 1, .stride = 1, .padding = 0}},
    {30, 3, 5, 32, 3, {.kernel = 1, .stride = 1, .padding = 0}},
    {30, 3, 5, 5, 16, {.kernel = 1, .stride = 1, .padding = 0}},
    {3, 4, 4, 16, 7, {.kernel = 4, .stride = 1, .padding = 0}},
};

constexpr std::size_t kElements = 100'000;  // more than the images, results or weights of any case

struct Results {
  std::vector<double> y, x, w;  // of the convolution, the transposed one, the weights' derivative
};

template <class T>
Results run(const Engine& engine, const Case& c, Activation activation, bool has_bias,
            ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::kAuto) {
  Graph g;
  const auto input = [&](std::size_t n) { return g.add_slot("", n, Slot::Access::kRead); };
  const Shape x_shape{c.n, c.height, c.width, c.channels};
  const Shape w_shape{c.window.kernel, c.window.kernel, c.channels / c.window.groups, c.outputs};
  const SlotId xs = input(n_elements(x_shape));
  const SlotId ws = input(n_elements(w_shape));
  const SlotId bs = input(c.channels + c.outputs);
  std::vector<ValueId> in{g.view(xs, 0, x_shape), g.view(ws, 0, w_shape)};
  if (has_bias) in.push_back(g.view(bs, 0, {c.outputs}));
  const Attributes attributes{.activation = activation, .window = c.window, .algorithm = algorithm};
  const ValueId y = g.apply(kConvolution, in, attributes);
  const std::size_t n_y = n_elements(g.shape(y));
  const SlotId ys = input(n_y);
  const ValueId dy = g.view(ys, 0, g.shape(y));
  Attributes back = attributes;
  back.shape = {c.height, c.width};
  std::vector<ValueId> back_in{dy, in[1]};
  if (has_bias) back_in.push_back(g.view(bs, c.outputs, {c.channels}));
  const ValueId x = g.apply(kTransposedConvolution, back_in, back);
  const ValueId w = g.apply(kConvolutionWeightGradient, {in[0], dy},
                            {.window = c.window, .algorithm = algorithm});
  std::vector<SlotId> out;
  for (const ValueId result : {y, x, w}) {
    out.push_back(g.add_slot("", n_elements(g.shape(result)), Slot::Access::kReadWrite));
    g.place(result, out.back(), 0);
  }

  Plan<T> plan(engine, g, 1);
  std::vector<std::vector<T>> memory;
  std::uint32_t key = 1;
  for (const SlotId slot : {xs, ws, bs, ys}) {
    const auto normals = testing::normals(g.slots()[slot.index].n_elements, key++);
    memory.emplace_back(normals.begin(), normals.end());
    plan.bind(slot, 0, std::span<const T>(memory.back()));
  }
  std::vector<std::vector<T>> results;
  for (const SlotId slot : out) results.emplace_back(g.slots()[slot.index].n_elements);
  for (std::size_t i = 0; i < 3; ++i) plan.bind(out[i], 0, std::span<T>(results[i]));
  plan.run();
  const auto doubles = [](const std::vector<T>& v) {
    return std::vector<double>(v.begin(), v.end());
  };
  return {doubles(results[0]), doubles(results[1]), doubles(results[2])};
}

double dot(const std::vector<double>& a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// <conv(x, w), y> = <x, transposed(y, w)> = <w, weights(x, y)>
TEST(Convolutions, are_each_other_s_adjoints) {
  for (const Case& c : kCases) {
    const Results r = run<double>(kReference, c, Activation::kNone, false);
    const double product = dot(r.y, testing::normals(r.y.size(), 4));
    EXPECT_NEAR(dot(r.x, testing::normals(r.x.size(), 1)), product, 1e-9 * r.y.size());
    EXPECT_NEAR(dot(r.w, testing::normals(r.w.size(), 2)), product, 1e-9 * r.y.size());
  }
}

// One place of one output, summed up here.
TEST(Convolutions, are_sums_over_a_window) {
  const Case& c = kCases[1];
  const Results r = run<double>(kReference, c, Activation::kRelu, true);
  const auto x = testing::normals(std::size_t{c.n} * c.height * c.width * c.channels, 1);
  const auto w = testing::normals(std::size_t{16} * c.channels * c.outputs, 2);
  const auto b = testing::normals(c.channels + c.outputs, 3);
  constexpr std::uint32_t kImage = 1, kRow = 2, kColumn = 3, kOutput = 4;
  double sum = b[kOutput];
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (std::uint32_t ch = 0; ch < c.channels; ++ch) {
        const std::uint32_t row = 2 * kRow + i - 1;
        const std::uint32_t column = 2 * kColumn + j - 1;
        if (row >= c.height || column >= c.width) continue;
        sum += double{x[((kImage * c.height + row) * c.width + column) * c.channels + ch]} *
               w[((i * 4 + j) * c.channels + ch) * c.outputs + kOutput];
      }
    }
  }
  const double expected = std::max(0.0, sum);
  EXPECT_NEAR(r.y[((kImage * 4 + kRow) * 4 + kColumn) * c.outputs + kOutput], expected, 1e-12);
}

// Several chunks of images of products of matrices, in whichever tiles.
constexpr Case kChunked{16, 32, 32, 32, 16, {.kernel = 3, .stride = 1, .padding = 1}};

// The length of the difference beside that of what is exact.
double error_of(const std::vector<double>& found, const std::vector<double>& exact) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += (found[i] - exact[i]) * (found[i] - exact[i]);
    norm += exact[i] * exact[i];
  }
  return std::sqrt(difference / norm);
}

void expect_close(const std::vector<double>& found, const std::vector<double>& exact) {
  EXPECT_LE(error_of(found, exact), 3e-6);  // its tanh is off by 2e-6
}

TEST(Convolutions, agree_on_all_engines_in_all_ways) {
  for (const Engine& engine : testing::engines()) {
    for (const Case& c : kCases) {
      for (const Activation activation :
           {Activation::kNone, Activation::kLeakyRelu, Activation::kTanh}) {
        for (const bool has_bias : {false, true}) {
          const Results exact = run<double>(kReference, c, activation, has_bias);
          for (const auto& [name, algorithm] : kConvolutionAlgorithms) {
            // The other engines have one.
            const bool has_one =
                engine.backend != Backend::kOneDnn || engine.make_kernel != nullptr;
            if (has_one && algorithm != ConvolutionAlgorithm::kIm2col) continue;
            SCOPED_TRACE(name);
            const Results found = run<float>(engine, c, activation, has_bias, algorithm);
            expect_close(found.y, exact.y);
            expect_close(found.x, exact.x);
            expect_close(found.w, exact.w);
          }
        }
      }
    }
  }
}

// Where convolutions are products of pairs, 2^-9 is the most that a factor is rounded by.
TEST(Convolutions, round_factors_in_bf16_in_all_ways) {
  const Engine engine = fastest_engine(Precision::kBf16);
  if (convolution_level(engine) != NumericsLevel::kAvx512Bf16) GTEST_SKIP() << "no such pairs here";
  std::vector<Case> cases = kCases;
  cases.push_back(kChunked);  // for whose chunks weights are packed once
  for (const Case& c : cases) {
    const Results exact = run<double>(kReference, c, Activation::kLeakyRelu, true);
    for (const auto& [name, algorithm] : kConvolutionAlgorithms) {
      const ConvolutionShape shape{{c.n, c.height, c.width, c.channels}, {}, c.window};
      const bool is_product =
          algorithm == ConvolutionAlgorithm::kIm2col ||
          algorithm == ConvolutionAlgorithm::kKn2row ||
          algorithm == ConvolutionAlgorithm::kWinograd4 ||
          (algorithm == ConvolutionAlgorithm::kWinograd && c.window.groups == 1);
      const double most = algorithm == ConvolutionAlgorithm::kWinograd4 ? 2e-2 : 1e-2;
      if (!is_product || !fits(algorithm, kConvolution, shape)) continue;
      SCOPED_TRACE(name);
      const Results found = run<float>(engine, c, Activation::kLeakyRelu, true, algorithm);
      for (const double error :
           {error_of(found.y, exact.y), error_of(found.x, exact.x), error_of(found.w, exact.w)}) {
        EXPECT_LE(error, most);
        EXPECT_GE(error, 1e-4);
      }
    }
  }
}

// Larger tiles lose more than the smaller ones, but at most four times as much. The last case has
// weights of several strips, the last one shorter, that are stored past the caches when packed.
TEST(Convolutions, in_tiles_of_4x4_positions_round_factors_in_bf16_too) {
  const Engine engine = fastest_engine(Precision::kBf16);
  if (convolution_level(engine) != NumericsLevel::kAvx512Bf16) GTEST_SKIP() << "no such pairs here";
  for (const Case& c : {Case{3, 9, 12, 20, 17, {.kernel = 3, .stride = 1, .padding = 1}},
                        Case{3, 9, 12, 20, 17, {.kernel = 4, .stride = 2, .padding = 1}}, kChunked,
                        Case{2, 8, 8, 41, 530, {.kernel = 4, .stride = 2, .padding = 1}}}) {
    const Results exact = run<double>(kReference, c, Activation::kLeakyRelu, true);
    const auto errors_by = [&](ConvolutionAlgorithm algorithm) {
      const Results found = run<float>(engine, c, Activation::kLeakyRelu, true, algorithm);
      return std::array{error_of(found.y, exact.y), error_of(found.x, exact.x),
                        error_of(found.w, exact.w)};
    };
    const auto small = errors_by(ConvolutionAlgorithm::kWinograd);
    const auto large = errors_by(ConvolutionAlgorithm::kWinograd4);
    for (std::size_t i = 0; i < large.size(); ++i) {
      EXPECT_LE(large[i], 2e-2);
      EXPECT_GE(large[i], 1e-3);
      EXPECT_GT(large[i], small[i]);
      EXPECT_LE(large[i], 4 * small[i]);
    }
  }
}

TEST(Convolutions, agree_where_images_are_taken_in_chunks) {
  const Results exact = run<double>(kReference, kChunked, Activation::kLeakyRelu, true);
  for (const ConvolutionAlgorithm algorithm :
       {ConvolutionAlgorithm::kIm2col, ConvolutionAlgorithm::kKn2row,
        ConvolutionAlgorithm::kWinograd, ConvolutionAlgorithm::kWinograd4}) {
    for (const Engine& engine : testing::engines()) {
      const Results found = run<float>(engine, kChunked, Activation::kLeakyRelu, true, algorithm);
      expect_close(found.y, exact.y);
      expect_close(found.x, exact.x);
      expect_close(found.w, exact.w);
    }
  }
}

// Lines of an image that are taken in several bands, of which the last is shorter.
TEST(Convolutions, agree_where_images_are_large) {
  const Case c{2, 29, 38, 32, 32, {.kernel = 3, .stride = 1, .padding = 1, .groups = 2}};
  const Results exact = run<double>(kReference, c, Activation::kLeakyRelu, true);
  for (const ConvolutionAlgorithm algorithm :
       {ConvolutionAlgorithm::kDirect, ConvolutionAlgorithm::kWinograd}) {
    ASSERT_TRUE(fits(algorithm, kConvolution, {{2, 29, 38, 32}, {2, 29, 38, 32}, c.window}));
    for (const Engine& engine : testing::engines()) {
      const Results found = run<float>(engine, c, Activation::kLeakyRelu, true, algorithm);
      expect_close(found.y, exact.y);
      expect_close(found.x, exact.x);
      expect_close(found.w, exact.w);
    }
  }
}

// The kernel of an operation whose inputs all lie at the beginning of memory, on zeros, with what
// lies behind its workspace.
void expect_kept_within(Kernel<float>& kernel, const Graph& g, ValueId value) {
  constexpr float kGuard = 7;
  constexpr std::size_t kGuards = 4096;
  Buffer<float> inputs(kElements);
  Buffer<float> result(n_elements(g.shape(value)));
  std::vector<float> workspace(kernel.n_workspace() + kGuards, kGuard);
  std::vector<float*> values(g.nodes().size(), inputs.data());
  values[value.index] = result.data();
  kernel.use_workspace(workspace.data());
  kernel.run(values.data());
  EXPECT_EQ(std::count(workspace.end() - kGuards, workspace.end(), kGuard), kGuards);
}

// A primitive's own order of weights may be padded, which nobody knows before it is made.
void expect_workspace_as_estimated(const Engine& engine) {
  for (const Case& c : kCases) {
    for (const auto& [name, algorithm] : kConvolutionAlgorithms) {
      if (algorithm == ConvolutionAlgorithm::kOneDnnPrimitive) continue;
      Graph g;
      const SlotId slot = g.add_slot("", kElements, Slot::Access::kRead);
      const ValueId x = g.view(slot, 0, {c.n, c.height, c.width, c.channels});
      const ValueId w = g.view(
          slot, 0, {c.window.kernel, c.window.kernel, c.channels / c.window.groups, c.outputs});
      const Attributes attributes{.window = c.window, .algorithm = algorithm};
      Attributes back = attributes;
      back.shape = {c.height, c.width};
      const ValueId y = g.apply(kConvolution, {x, w}, attributes);
      const ValueId dy = g.view(slot, 0, g.shape(y));
      for (const ValueId value : {y, g.apply(kTransposedConvolution, {dy, w}, back),
                                  g.apply(kConvolutionWeightGradient, {x, dy}, attributes)}) {
        const Operation& operation = *g.node(value).operation;
        if (!fits(algorithm, operation, convolution_shape(g, value))) continue;
        SCOPED_TRACE(std::string(name) + " " + std::string(operation.name));
        const auto kernel = make_kernel<float>(engine, g, value);
        const std::size_t estimated = kernel_workspace_bytes(engine, g, value);
        const std::size_t found = 4 * kernel->n_workspace();
        EXPECT_EQ(estimated, found);
        expect_kept_within(*kernel, g, value);
      }
    }
  }
}

TEST(Convolutions, keep_within_the_workspace_that_was_estimated) {
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP() << "a build without oneDNN";
  expect_workspace_as_estimated(fastest_engine());
  expect_workspace_as_estimated(fastest_engine(Precision::kBf16));
}

TEST(Convolutions, whose_window_does_not_fit_are_refused) {
  Graph g;
  const SlotId slot = g.add_slot("", 1000, Slot::Access::kRead);
  const ValueId x = g.view(slot, 0, {1, 3, 3, 2});
  const ValueId w = g.view(slot, 100, {5, 5, 2, 4});
  EXPECT_THROW(g.apply(kConvolution, {x, w}, {.window = {.kernel = 5}}), InternalError);
  EXPECT_THROW(g.apply(kConvolution, {x, w}, {.window = {.kernel = 3, .padding = 1}}),
               InternalError);
  EXPECT_NO_THROW(g.apply(kConvolution, {x, w}, {.window = {.kernel = 5, .padding = 1}}));
}

}  // namespace
}  // namespace lipizz::nn::convolution_test
