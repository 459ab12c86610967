#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape optimizer_shape(Shapes in, const Attributes& attributes) {
  const std::size_t n_moments = entry(attributes.optimizer.kind).n_moments;
  require(in.size() == 3 + n_moments && in[1] == in[0] && n_elements(in[2]) == 2, "optimizer_step",
          in);
  for (const Shape& moment : in.subspan(3)) require(moment == in[0], "optimizer_step", in);
  return {};
}

Shape running_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 2 && in[0][0] == 2 && in[1].size() == 3 &&
              in[1][1] == 2 && in[1][2] == in[0][1] && attributes.shape.size() == 1,
          "update_running", in);
  return {};
}

Shape clip_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.number > 0, "clip", in);
  return {};
}

Shape average_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 3 && in[0] == in[1] && n_elements(in[2]) == 2 && attributes.number < 1,
          "move_average", in);
  return {};
}

}  // namespace

const Operation kOptimizerStep{"optimizer_step",
                               "parameters, gradients of the same shape, {rate, step} [2], "
                               "then each moment, of the same shape; updates parameters, moments",
                               true,
                               optimizer_shape,
                               nullptr,
                               elementwise_flops};

const Operation kUpdateRunning{
    "update_running",
    "running mean and variance [2, C], those of each group in turn [groups, 2, C]: r += number * "
    "(s - r), the variance made unbiased for groups of shape[0] rows",
    true,
    running_shape,
    nullptr,
    elementwise_flops};

const Operation kClip{"clip",  "w -> every element brought back to +-number",
                      true,    clip_shape,
                      nullptr, elementwise_flops};

const Operation kMoveAverage{
    "move_average",
    "average, values of the same shape, {rate, step} [2]: a += (1 - d) (w - a), d the lesser of "
    "number and (1 + step) / (10 + step)",
    true,
    average_shape,
    nullptr,
    elementwise_flops};

}  // namespace lipizz::nn
