#include "worker/weight_histograms.hpp"

#include <span>
#include <string>

#include "nn/network/network.hpp"

namespace lipizz::worker {
namespace {

void add(const std::string& network, const nn::ParameterLayout& layout,
         std::span<const float> parameters, std::vector<comm::TaskDone::Weights>& all) {
  for (const nn::ParameterBlock& block : layout.blocks) {
    const auto weights = parameters.subspan(block.offset, nn::n_elements(block.shape));
    all.push_back({network + "/" + block.name, histogram_of(weights)});
  }
}

}  // namespace

std::vector<comm::TaskDone::Weights> weight_histograms(const coev::Pair& pair,
                                                       const nn::GanSpec& model) {
  std::vector<comm::TaskDone::Weights> all;
  for (const coev::NetworkRole role : coev::kNetworkRoles) {
    add(std::string(to_string(role)), nn::parameter_layout(network_spec(model, role)),
        genome(pair, role).parameters, all);
  }
  return all;
}

}  // namespace lipizz::worker
