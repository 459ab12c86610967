#pragma once

#include <utility>

#include "core/random.hpp"
#include "data/dataset.hpp"
#include "metrics/classifier.hpp"
#include "nn/exec/device.hpp"
#include "nn/network/network.hpp"

namespace lipizz::bench {

/// A dataset's judge as it starts, which takes as long as one that is trained. The device outlives
/// it.
inline metrics::ClassifierFeatures untrained_judge(nn::Device& device,
                                                   const data::Dataset& dataset) {
  const nn::NetworkSpec network = metrics::classifier_network(dataset);
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  nn::initialise(network, Random(1, Purpose::kTest), parameters);
  return metrics::ClassifierFeatures(device, network, std::move(parameters));
}

}  // namespace lipizz::bench
