#include "nn/graph/operations/updates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/base/clipping.hpp"
#include "nn/base/mixed_precision.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/optimizer_table.hpp"
#include "nn/base/shard.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape optimizer_shape(Shapes in, const Attributes& attributes) {
  const std::size_t n_moments = entry(attributes.optimizer.kind).n_moments;
  require(in.size() == 3 + n_moments && in[1] == in[0] && n_elements(in[2]) == 4, "optimizer_step",
          in);
  for (const Shape& moment : in.subspan(3)) require(moment == in[0], "optimizer_step", in);
  return {};
}

Shape running_shape(Shapes in, const Attributes& attributes) {
  require((in.size() == 2 || (in.size() == 3 && n_elements(in[2]) == 4)) && in[0].size() == 2 &&
              in[0][0] == 2 && in[1].size() == 3 && in[1][1] == 2 && in[1][2] == in[0][1] &&
              attributes.shape.size() == 1,
          "update_running", in);
  return {};
}

Shape clip_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.number > 0, "clip", in);
  return {};
}

Shape squared_lengths_shape(Shapes in, const Attributes&) {
  require(in.size() == 1, "squared_lengths", in);
  return {static_cast<std::uint32_t>(n_shard_blocks(n_elements(in[0])))};
}

bool is_loss_scale(const Shape& shape) {
  return n_elements(shape) == LossScale::kSize;
}

Shape clip_length_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 3 && is_loss_scale(in[2]) && attributes.number >= 0, "clip_length", in);
  return {};
}

Shape guarded_settings_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && n_elements(in[0]) == 4 && is_loss_scale(in[1]), "guarded_settings", in);
  return {4};
}

Shape advance_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && is_loss_scale(in[0]), "advance_loss_scale", in);
  return {};
}

Shape ema_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 3 && in[0] == in[1] && n_elements(in[2]) == 4 && attributes.number < 1,
          "update_ema", in);
  return {};
}

template <class T>
void optimizer_step(const Values<T>& v) {
  if (v.data(2)[3] != 0) return;
  std::vector<ArrayMap<T>> moments;
  for (std::size_t i = 3; v.has_input(i); ++i) moments.push_back(v.array(i));
  with_optimizer(v.attributes().optimizer.kind, [&](const auto& optimizer) {
    const T* settings = v.data(2);
    const OptimizerSpec spec =
        at_progress(v.attributes().optimizer, static_cast<double>(settings[2]));
    const auto step = static_cast<std::uint32_t>(settings[1]);
    if constexpr (kIsLayerwise<std::decay_t<decltype(optimizer)>>) {
      const bool is_vector = v.shape(0).size() == 1;
      optimizer.reference(spec, settings[0], step, v.array(0), v.array(1), moments, is_vector);
    } else {
      optimizer.reference(spec, settings[0], step, v.array(0), v.array(1), moments);
    }
  });
}

std::vector<Example> optimizer_examples() {
  std::vector<Example> all;
  for (OptimizerId kind = 0; kind < optimizers().size(); ++kind) {
    for (const Shape& shape : {Shape{1}, Shape{7}, Shape{100}, Shape{5, 7}, Shape{30, 40}}) {
      for (const float step : {0.0f, 1.0f, 1000.0f, 1001.0f}) {
        const float is_left_out = step == 1001 && n_elements(shape) == 7 ? 1 : 0;
        const float progress = step / 2000;
        const float rate = entry(kind).is_layerwise ? 10.0f : 0.01f;  // trust ratios are small
        std::vector<ExampleInput> inputs{
            {shape}, {shape}, {.shape = {4}, .values = {rate, step, progress, is_left_out}}};
        for (std::uint32_t m = 0; m < entry(kind).n_moments; ++m) {
          inputs.push_back({shape, Drawn::kPositive});
        }
        all.push_back({std::move(inputs), {.optimizer = {.kind = kind, .beta2_change = -0.1}}});
      }
    }
  }
  return all;
}

// Group after group; a variance is made unbiased.
template <class T>
void update_running(const Values<T>& v) {
  if (v.has_input(2) && v.data(2)[3] != 0) return;
  const T rows = static_cast<T>(v.attributes().shape.front());
  const T unbiased = rows > 1 ? rows / (rows - 1) : T{1};
  auto running = v.array(0);
  for (Eigen::Index g = 0; g < Eigen::Index{v.shape(1)[0]}; ++g) {
    Array<T> statistics = v.array(1).middleRows(2 * g, 2);
    statistics.row(1) *= unbiased;
    running += v.number() * (statistics - running);
  }
}

template <class T>
void clip(const Values<T>& v) {
  const T limit = v.number();
  auto x = v.array(0);
  x = (x > limit).select(limit, (x < -limit).select(-limit, x));
}

template <class T>
void squared_lengths(const Values<T>& v) {
  const auto x = v.array(0).template reshaped<Eigen::RowMajor>().template cast<double>();
  for (Eigen::Index block = 0; block < v.array().size(); ++block) {
    const Eigen::Index first = block * Eigen::Index{kShardBlock};
    const Eigen::Index n = std::min(Eigen::Index{kShardBlock}, x.size() - first);
    v.data()[block] = static_cast<T>(x.segment(first, n).square().sum());
  }
}

template <class T>
T square_of(const Values<T>& v, std::size_t squares) {
  return static_cast<T>(v.array(squares).template cast<double>().sum());
}

template <class T>
void clip_length(const Values<T>& v) {
  v.array(0) *=
      clip_factor(static_cast<T>(v.number()), square_of(v, 1), T{v.data(2)[LossScale::kInverse]});
}

template <class T>
void guarded_settings(const Values<T>& v) {
  std::copy_n(v.data(0), 3, v.data());
  v.data()[1] -= v.data(1)[LossScale::kSkipped];
  v.data()[3] = std::isfinite(static_cast<float>(square_of(v, 2))) ? 0 : 1;
}

template <class T>
void advance_loss_scale(const Values<T>& v) {
  LossScale::advance(v.data(0), std::isfinite(static_cast<float>(square_of(v, 1))), v.number());
}

// A state whose losses are scaled by 1 / inverse.
ExampleInput loss_scale(float inverse, float good = 0, float skipped = 0) {
  return {.shape = {LossScale::kSize}, .values = {1 / inverse, inverse, good, skipped}};
}

// Lengths below the limit and above, in one block and in several, of losses scaled and not.
std::vector<Example> clip_length_examples() {
  std::vector<Example> all;
  for (const std::uint32_t n : {1U, 7U, 100U}) {
    for (const float square : {0.0f, 0.25f, 9.0f}) {
      for (const float most : {0.0f, 2.0f}) {
        all.push_back(
            {{{{n}}, {.shape = {1}, .values = {square}}, loss_scale(1)}, {.number = most}});
        all.push_back({{{{n}}, {.shape = {3}, .values = {square, 0.5f, square}}, loss_scale(0.25f)},
                       {.number = most}});
      }
    }
  }
  return all;
}

// Lengths that are finite and not, in one block and in several, with the settings of an update or
// without.
std::vector<Example> guard_examples(bool has_settings) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  std::vector<Example> all;
  for (const std::vector<float>& squares :
       {std::vector{1.0f}, {2.0f, 3.0f, 0.0f}, {kLargest, kLargest}}) {
    for (const float interval : {0.0f, 5.0f}) {
      for (const float good : {0.0f, 5.0f}) {
        Example& example = all.emplace_back();
        if (has_settings) {
          example.inputs.push_back({.shape = {4}, .values = {0.01f, 100, 0.5f, 0}});
        }
        example.inputs.push_back(loss_scale(0.25f, good, 3));
        example.inputs.push_back(
            {.shape = {static_cast<std::uint32_t>(squares.size())}, .values = squares});
        example.attributes.number = interval;
      }
    }
  }
  return all;
}

template <class T>
void update_ema(const Values<T>& v) {
  if (v.data(2)[3] != 0) return;
  const T step = v.data(2)[1];
  const T decay = std::min(v.number(), (1 + step) / (10 + step));
  v.array(0) = decay * v.array(0) + (1 - decay) * v.array(1);
}

}  // namespace

constinit const Operation kOptimizerStep{
    .name = "optimizer_step",
    .summary =
        "parameters, gradients of the same shape, {rate, step, progress of its schedule, whether "
        "it is left out} [4], then each moment, of the same shape; updates parameters, moments; "
        "one that is layerwise takes them for a tensor",
    .updates_inputs = true,
    .shape = optimizer_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { optimizer_step(v); }),
    .examples = optimizer_examples};
constinit const Operation kUpdateRunning{
    .name = "update_running",
    .summary =
        "running mean and variance [2, C], those of each group in turn [groups, 2, C]: r += "
        "number * (s - r), the variance made unbiased for groups of shape[0] rows; of an update "
        "whose settings [4] follow, unless it is left out",
    .updates_inputs = true,
    .shape = running_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { update_running(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const std::uint32_t groups : {1U, 2U}) {
        for (const std::uint32_t n : {1U, 5U, 33U}) {
          all.push_back({{{{2, n}}, {{groups, 2, n}}}, {.shape = {n}, .number = 0.1f}});
          for (const float is_left_out : {0.0f, 1.0f}) {
            all.push_back(all.back());
            all.back().inputs.resize(2);
            all.back().inputs.push_back({.shape = {4}, .values = {0.1f, 3, 0, is_left_out}});
          }
        }
      }
      return all;
    }};
constinit const Operation kClip{.name = "clip",
                                .summary = "x -> every element brought back to +-number",
                                .updates_inputs = true,
                                .shape = clip_shape,
                                .flops = elementwise_flops,
                                .reference = reference([](const auto& v) { clip(v); }),
                                .examples = [] {
                                  return std::vector<Example>{{{{{1}}}, {.number = 0.01f}},
                                                              {{{{3, 5}}}, {.number = 0.5f}},
                                                              {{{{100}}}, {.number = 1}}};
                                }};
constinit const Operation kSquaredLengths{
    .name = "squared_lengths",
    .summary = "x -> sums of the squares of its blocks [ceil(n / 1024)], taken in double",
    .shape = squared_lengths_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { squared_lengths(v); }),
    .examples = [] {
      return std::vector<Example>{{{{{1}}}}, {{{{3, 5}}}}, {{{{1024}}}}, {{{{3, 1000}}}}};
    }};
constinit const Operation kClipLength{
    .name = "clip_length",
    .summary =
        "x, squared lengths that add up to its own, a loss scale's state [4] -> x without that "
        "scale, then times min(1, number / (length + 1e-6)); number 0: any length",
    .updates_inputs = true,
    .shape = clip_length_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { clip_length(v); }),
    .examples = clip_length_examples};
constinit const Operation kGuardedSettings{
    .name = "guarded_settings",
    .summary =
        "an update's settings [4], a loss scale's state [4], squared lengths of its gradient -> "
        "the settings, of which updates that were left out are not counted, and this one is where "
        "the gradient is not finite [4]",
    .shape = guarded_settings_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { guarded_settings(v); }),
    .examples = [] { return guard_examples(true); }};
constinit const Operation kAdvanceLossScale{
    .name = "advance_loss_scale",
    .summary =
        "a loss scale's state [4], squared lengths of a gradient -> LossScale::advance, of the "
        "interval number",
    .updates_inputs = true,
    .shape = advance_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { advance_loss_scale(v); }),
    .examples = [] { return guard_examples(false); }};
constinit const Operation kUpdateEma{
    .name = "update_ema",
    .summary =
        "exponential moving average (EMA), values of the same shape, an update's settings [4]: "
        "a += (1 - d) (w - a), d the lesser of number and (1 + step) / (10 + step)",
    .updates_inputs = true,
    .shape = ema_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { update_ema(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const float step : {0.0f, 8.0f, 1e5f}) {
        const float is_left_out = step == 8 ? 1 : 0;
        all.push_back({{{{33}}, {{33}}, {.shape = {4}, .values = {0.1f, step, 0, is_left_out}}},
                       {.number = 0.99f}});
      }
      return all;
    }};

std::span<const Operation* const> updates_operations() {
  static constexpr const Operation* kAll[] = {
      &kOptimizerStep,   &kUpdateRunning,    &kClip,     &kSquaredLengths, &kClipLength,
      &kGuardedSettings, &kAdvanceLossScale, &kUpdateEma};
  return kAll;
}

}  // namespace lipizz::nn
