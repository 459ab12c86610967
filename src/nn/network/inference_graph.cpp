#include "nn/network/inference_graph.hpp"

namespace lipizz::nn {

InferenceGraph inference_graph(const NetworkSpec& network, std::uint32_t batch,
                               std::uint32_t n_layers) {
  using Access = Slot::Access;
  NetworkSpec shown = network;
  if (n_layers != 0) shown.layers.resize(n_layers);
  InferenceGraph made;
  Graph& g = made.graph;
  made.parameters = g.add_slot("parameters", parameter_layout(network).n_padded, Access::kRead);
  made.input = g.add_slot("input", std::size_t{batch} * shown.n_inputs(), Access::kRead);
  made.output = g.add_slot("output", std::size_t{batch} * n_outputs(shown), Access::kReadWrite);
  const ValueId x = g.view(made.input, 0, {batch, shown.n_inputs()});
  Pass pass;
  if (network.n_classes > 0) {
    made.labels = g.add_slot("labels", batch, Access::kRead);
    pass.labels = g.view(*made.labels, 0, {batch});
  }
  g.place(add_network(g, shown, made.parameters, x, pass), made.output, 0);
  return made;
}

}  // namespace lipizz::nn
