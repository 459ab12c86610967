#include "nn/graph/operations/shapes.hpp"

#include <Eigen/Core>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "nn/graph/operations/elementwise.hpp"

namespace lipizz::nn {

void require(bool condition, std::string_view operation, Shapes inputs) {
  if (condition) return;
  std::string text = std::string(operation) + " cannot take";
  for (const Shape& shape : inputs) text += " " + to_string(shape);
  throw InternalError(text);
}

Shape first_shape(Shapes in, const Attributes&) {
  return in[0];
}

std::uint64_t no_flops(Shapes, const Attributes&) {
  return 0;
}

std::uint64_t elementwise_flops(Shapes in, const Attributes&) {
  return n_elements(in[0]);
}

ValueId before_activation(Graph& graph, ValueId upstream, ValueId result) {
  const Attributes& attributes = graph.node(result).attributes;
  if (attributes.activation == Activation::kNone) return upstream;
  return graph.apply(kActivationGradient, {upstream, result},
                     {.activation = attributes.activation});
}

// Eigen cuts its products by the sizes of the caches it finds, which would make the bits depend on
// the machine; these are fixed instead, once for the process.
void prepare_references() {
  static std::once_flag is_done;
  std::call_once(is_done, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20); });
}

}  // namespace lipizz::nn
