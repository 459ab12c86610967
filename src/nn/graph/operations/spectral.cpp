#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

// w [..., out], u [out], v [the rest]
bool is_spectral(Shapes in) {
  return in.size() == 3 && in[0].size() >= 2 && in[1] == Shape{in[0].back()} &&
         n_elements(in[2]) * in[0].back() == n_elements(in[0]);
}

Shape iteration_shape(Shapes in, const Attributes&) {
  require(is_spectral(in), "power_iteration", in);
  return {};
}

Shape scale_shape(Shapes in, const Attributes&) {
  require(is_spectral(in), "spectral_scale", in);
  return in[0];
}

void scale_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> inputs = g.node(request.result).inputs;
  if (!request.is_wanted(0)) return;
  request.give(
      0, g.apply(kSpectralScaleGradient, {*request.upstream, inputs[0], inputs[1], inputs[2]}));
}

Shape gradient_shape(Shapes in, const Attributes&) {
  require(in.size() == 4 && in[0] == in[1] && is_spectral(in.subspan(1)), "spectral_scale_gradient",
          in);
  return in[0];
}

std::uint64_t iteration_flops(Shapes in, const Attributes&) {
  return 4 * n_elements(in[0]);
}

}  // namespace

const Operation kPowerIteration{
    "power_iteration",
    "w [..., out], u [out], v [rest]; updates u and v towards the first "
    "singular vectors (nn/base/spectral.hpp)",
    true,
    iteration_shape,
    nullptr,
    iteration_flops};
const Operation kSpectralScale{"spectral_scale",
                               "w, u, v -> w / (v^T w u), u and v held fixed for derivatives",
                               false,
                               scale_shape,
                               scale_gradient,
                               iteration_flops};
const Operation kSpectralScaleGradient{"spectral_scale_gradient",
                                       "dy, w, u, v -> derivative of spectral_scale by w",
                                       false,
                                       gradient_shape,
                                       nullptr,
                                       iteration_flops};

}  // namespace lipizz::nn
