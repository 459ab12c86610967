#include "support.hpp"

#include <string>

#include "arithmetic.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/network/inference_graph.hpp"

namespace lipizz::bench {

nn::Engine fix_fastest_engine(nn::Precision precision) {
  const nn::Engine engine = nn::fastest_engine(precision);
  nn::fix_numerics(engine);
  return engine;
}

double pass_flops(const nn::NetworkSpec& network, std::uint32_t n, std::uint32_t n_layers) {
  return product_flops(nn::inference_graph(network, n, n_layers).graph);
}

double fitness_flops(const nn::GanSpec& model, std::uint32_t n_members, std::uint32_t n) {
  return n_members * pass_flops(model.generator, n) +
         n_members * (n_members + 1) * pass_flops(model.discriminator, n);
}

std::uint32_t number_argument(int argc, char** argv, int i, std::uint32_t otherwise) {
  return argc > i ? static_cast<std::uint32_t>(std::stoul(argv[i])) : otherwise;
}

}  // namespace lipizz::bench
