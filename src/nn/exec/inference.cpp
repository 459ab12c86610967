#include "nn/exec/inference.hpp"

#include <utility>

#include "nn/network/inference_graph.hpp"

namespace lipizz::nn {

struct Inference::Impl {
  Impl(Device& device, InferenceGraph made, std::uint32_t its_batch, std::uint32_t n_models,
       Exactness exactness)
      : network(std::move(made)),
        batch(its_batch),
        plan(device.plan(network.graph, n_models, exactness)) {
    if (!network.labels) return;
    labels = HostDeviceBuffer(device, batch);
    for (std::uint32_t model = 0; model < n_models; ++model) {
      plan->bind(*network.labels, model, labels.region());
    }
  }

  InferenceGraph network;
  std::uint32_t batch;
  std::unique_ptr<DevicePlan> plan;
  HostDeviceBuffer labels;
};

Inference::Inference(Device& device, const NetworkSpec& network, std::uint32_t batch,
                     std::uint32_t n_models, std::uint32_t n_layers, Exactness exactness)
    : impl_(std::make_unique<Impl>(device, inference_graph(network, batch, n_layers), batch,
                                   n_models, exactness)) {}
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;
Inference::~Inference() = default;

void Inference::bind(std::uint32_t model, Region parameters, Region input, Region output) {
  impl_->plan->bind(impl_->network.parameters, model, parameters);
  impl_->plan->bind(impl_->network.input, model, input);
  impl_->plan->bind(impl_->network.output, model, output);
}
std::span<float> Inference::labels() {
  return impl_->labels.host();
}
void Inference::run() {
  impl_->labels.push(impl_->labels.size());
  impl_->plan->run();
}
std::uint32_t Inference::batch() const {
  return impl_->batch;
}

}  // namespace lipizz::nn
