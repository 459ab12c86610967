#include "nn/cpu/updates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/simd.hpp"
#include "nn/base/clipping.hpp"
#include "nn/base/mixed_precision.hpp"
#include "nn/base/optimizer_table.hpp"
#include "nn/base/shard.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/loop_kernel.hpp"

namespace lipizz::nn {
namespace {

constexpr std::size_t kMostMoments = [] {
  std::size_t most = 0;
  std::apply(
      [&](const auto&... row) { ((most = std::max<std::size_t>(most, row.kNMoments)), ...); },
      OptimizerTable{});
  return most;
}();

// One update in place of n numbers, with as many moments of each as the optimizer has.
template <class Optimizer>
LIPIZZ_INLINE void update_all(const typename Optimizer::Numbers& numbers, float* __restrict w,
                              const std::array<float*, kMostMoments>& moments,
                              const float* __restrict g, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    float here[Optimizer::kNMoments + 1];  // an array has one element at least
    for (std::size_t m = 0; m < Optimizer::kNMoments; ++m) here[m] = moments[m][i];
    Optimizer::update(numbers, g[i], w[i], here);
    for (std::size_t m = 0; m < Optimizer::kNMoments; ++m) moments[m][i] = here[m];
  }
}

// Sums of squares in sixteen parts, so that vectors of any length add up alike.
struct SumOfSquares {
  static constexpr std::size_t kParts = 16;
  double parts[kParts] = {};

  LIPIZZ_INLINE void add(std::size_t part, float x) {
    parts[part] += static_cast<double>(x) * static_cast<double>(x);
  }
  [[nodiscard]] LIPIZZ_INLINE double total() const {
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
  }
};

// Calls `take` with each of n numbers and the part that it belongs to.
template <class Take>
LIPIZZ_INLINE void in_parts(std::size_t n, const Take& take) {
  constexpr std::size_t kParts = SumOfSquares::kParts;
  const std::size_t n_whole = n / kParts * kParts;
  for (std::size_t i = 0; i < n_whole; i += kParts) {
    for (std::size_t k = 0; k < kParts; ++k) take(i + k, k);
  }
  for (std::size_t i = n_whole; i < n; ++i) take(i, i % kParts);
}

// Advances the moments of a tensor and gives its trust ratio.
template <class Optimizer>
LIPIZZ_INLINE float trust_of(const typename Optimizer::Numbers& numbers, const float* __restrict w,
                             const std::array<float*, kMostMoments>& moments,
                             const float* __restrict g, std::size_t n) {
  SumOfSquares of_weights, of_measured;
  in_parts(n, [&](std::size_t i, std::size_t part) LIPIZZ_INLINE_LAMBDA {
    float here[Optimizer::kNMoments];
    for (std::size_t m = 0; m < Optimizer::kNMoments; ++m) here[m] = moments[m][i];
    Optimizer::advance(numbers, g[i], here);
    for (std::size_t m = 0; m < Optimizer::kNMoments; ++m) moments[m][i] = here[m];
    of_weights.add(part, w[i]);
    of_measured.add(part, Optimizer::measured(numbers, g[i], w[i], here));
  });
  return Optimizer::trust(numbers, std::sqrt(of_weights.total()), std::sqrt(of_measured.total()));
}

// `step` counts the updates before; a vector has one dimension.
LIPIZZ_MULTIVERSION
void optimizer_step(const OptimizerSpec& spec, float rate, std::uint32_t step, bool is_vector,
                    float* w, const std::array<float*, kMostMoments>& moments, const float* g,
                    std::size_t n) {
  with_optimizer(spec.kind, [&]<class Optimizer>(Optimizer) LIPIZZ_INLINE_LAMBDA {
    typename Optimizer::Numbers numbers = Optimizer::numbers(spec, rate, step);
    if constexpr (kIsLayerwise<Optimizer>) {
      const float trust = trust_of<Optimizer>(numbers, w, moments, g, n);
      if (!is_vector) numbers.trust = trust;
    }
    update_all<Optimizer>(numbers, w, moments, g, n);
  });
}

void run_optimizer_step(const LoopKernel& k, float* const* v) {
  const float* settings = k.input(v, 2);
  if (settings[3] != 0) return;
  std::array<float*, kMostMoments> moments{};
  for (std::size_t m = 0; m < kMostMoments; ++m) moments[m] = k.input(v, 3 + m);
  const OptimizerSpec spec =
      at_progress(k.attributes().optimizer, static_cast<double>(settings[2]));
  optimizer_step(spec, settings[0], static_cast<std::uint32_t>(settings[1]),
                 k.first_shape().size() == 1, k.input(v, 0), moments, k.input(v, 1),
                 n_elements(k.first_shape()));
}

// A NaN stays one.
LIPIZZ_MULTIVERSION
void clip(float* w, float limit, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float low = w[i] < -limit ? -limit : w[i];
    w[i] = low > limit ? limit : low;
  }
}

void run_clip(const LoopKernel& k, float* const* v) {
  clip(k.input(v, 0), k.attributes().number, n_elements(k.first_shape()));
}

LIPIZZ_MULTIVERSION
double squared_length(const float* x, std::size_t n) {
  SumOfSquares sum;
  in_parts(n, [&](std::size_t i, std::size_t part) LIPIZZ_INLINE_LAMBDA { sum.add(part, x[i]); });
  return sum.total();
}

void run_squared_lengths(const LoopKernel& k, float* const* v) {
  const std::size_t n = n_elements(k.first_shape());
  const float* x = k.input(v, 0);
  float* out = k.result(v);
  for (std::size_t first = 0; first < n; first += kShardBlock) {
    *out++ = static_cast<float>(squared_length(x + first, std::min(kShardBlock, n - first)));
  }
}

LIPIZZ_MULTIVERSION
void scale(float* x, float factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= factor;
}

// The length squared whose parts these are.
float square_of(const Graph& graph, ValueId squares, float* const* values) {
  double square = 0;
  for (const float of_block : std::span(values[squares.index], n_elements(graph.shape(squares)))) {
    square += double{of_block};
  }
  return static_cast<float>(square);
}

void clip_length(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const ValueId x = node.inputs[0];
  const float inverse = values[node.inputs[2].index][LossScale::kInverse];
  const float factor =
      clip_factor(node.attributes.number, square_of(graph, node.inputs[1], values), inverse);
  if (factor != 1) scale(values[x.index], factor, n_elements(graph.shape(x)));
}

void guarded_settings(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* settings = values[node.inputs[0].index];
  float* guarded = values[value.index];
  guarded[0] = settings[0];
  guarded[1] = settings[1] - values[node.inputs[1].index][LossScale::kSkipped];
  guarded[2] = settings[2];
  guarded[3] = std::isfinite(square_of(graph, node.inputs[2], values)) ? 0 : 1;
}

void advance_loss_scale(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  LossScale::advance(values[node.inputs[0].index],
                     std::isfinite(square_of(graph, node.inputs[1], values)),
                     node.attributes.number);
}

LIPIZZ_MULTIVERSION
void update_ema(float* average, const float* now, float rate, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) average[i] += rate * (now[i] - average[i]);
}

void run_update_ema(const LoopKernel& k, float* const* v) {
  if (k.input(v, 2)[3] != 0) return;
  const float step = k.input(v, 2)[1];
  const float decay = std::min(static_cast<float>(k.attributes().number), (1 + step) / (10 + step));
  update_ema(k.input(v, 0), k.input(v, 1), 1 - decay, n_elements(k.first_shape()));
}

void update_running(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  if (node.inputs.size() == 3 && values[node.inputs[2].index][3] != 0) return;
  const Shape& shape = graph.shape(node.inputs[1]);
  const std::size_t n = shape[2];
  const auto rows = static_cast<float>(node.attributes.shape.front());
  const float momentum = node.attributes.number;
  const float unbiased = rows > 1 ? rows / (rows - 1) : float{1};
  float* running = values[node.inputs[0].index];
  const float* statistics = values[node.inputs[1].index];
  for (std::size_t g = 0; g < shape[0]; ++g, statistics += 2 * n) {
    for (std::size_t c = 0; c < n; ++c) {
      running[c] += momentum * (statistics[c] - running[c]);
      running[n + c] += momentum * (statistics[n + c] * unbiased - running[n + c]);
    }
  }
}

}  // namespace

std::span<const KernelEntry> updates_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kOptimizerStep, make_loop<run_optimizer_step>},
      {&kUpdateRunning, make_function<update_running>},
      {&kClip, make_loop<run_clip>},
      {&kSquaredLengths, make_loop<run_squared_lengths>},
      {&kClipLength, make_function<clip_length>},
      {&kGuardedSettings, make_function<guarded_settings>},
      {&kAdvanceLossScale, make_function<advance_loss_scale>},
      {&kUpdateEma, make_loop<run_update_ema>},
  };
  return kTable;
}

}  // namespace lipizz::nn
