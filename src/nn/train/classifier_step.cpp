#include "nn/train/classifier_step.hpp"

namespace lipizz::nn {

ClassifierStep::ClassifierStep(const Engine& engine, const NetworkSpec& network,
                               const OptimizerSpec& optimizer, std::uint32_t batch)
    : step_(classifier_step_graph(network, optimizer, batch)),
      plan_(engine, step_.graph, 1),
      input_(std::size_t{batch} * network.n_inputs()),
      labels_(batch),
      settings_(StepSettings::kInputs),
      loss_(1) {
  plan_.bind(*step_.samples, 0, std::span<const float>(input_));
  plan_.bind(*step_.labels, 0, std::span<const float>(labels_));
  plan_.bind(step_.settings, 0, std::span<const float>(settings_));
  plan_.bind(step_.losses, 0, std::span<float>(loss_));
}

void ClassifierStep::bind(std::span<float> parameters, std::span<float> moments) {
  plan_.bind(step_.parameters, 0, parameters);
  const std::size_t n = step_.shard.n;
  for (std::size_t m = 0; m < step_.moments.size(); ++m) {
    plan_.bind(step_.moments[m], 0, moments.subspan(m * n, n));
  }
}

void ClassifierStep::run(float learning_rate, std::uint32_t step) {
  settings_[StepSettings::kRate] = learning_rate;
  settings_[StepSettings::kStep] = static_cast<float>(step);
  plan_.run();
}

}  // namespace lipizz::nn
