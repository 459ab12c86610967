#include "nn/train/gan_step.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/train/micro_batch.hpp"

namespace lipizz::nn {
namespace {

StepForm form_for(const Device& device, const SampleSource& source) {
  return {&source, device.updates_together(), device.n_threads() > 1, device.collectives(),
          device.pipeline()};
}

}  // namespace

struct GanStep::Impl {
  Impl(Device& device, StepGraph made, std::uint32_t n_models, bool is_paired, MicroBatches dealt)
      : step(std::move(made)),
        sees_pairs(is_paired),
        parts(std::move(dealt)),
        ranks(device.collectives()),
        has_losses(device.pipeline() == nullptr || device.pipeline()->is_last()),
        plan(device.plan(step.graph, n_models, Exactness::kOfDevice)),
        networks(n_models) {
    const std::size_t n_losses = step.graph.slots()[step.losses.index].n_elements;
    for (std::uint32_t model = 0; model < n_models; ++model) {
      losses.emplace_back(device, n_losses);
      plan->bind(step.losses, model, losses.back().region());
    }
  }

  // A whole network, or the tensors that are held of it, one after the other.
  void bind(SlotId slot, std::uint32_t model, Region network, const std::vector<Shard>& held) {
    if (network.size == step.graph.slots()[slot.index].n_elements) {
      return plan->bind(slot, model, network);
    }
    std::size_t first = 0;
    for (const Shard& tensors : held) {
      plan->bind_part(slot, model, tensors.first, network.part(first, tensors.n));
      first += tensors.n;
    }
    LIPIZZ_ASSERT(first == network.size);
  }

  [[nodiscard]] std::vector<float> losses_of_all(std::uint32_t model) {
    losses[model].pull(losses[model].size());
    const std::span<const float> own = losses[model].host();
    std::vector<float> all(own.size() / parts.n * parts.all.size());
    if (ranks != nullptr) {
      ranks->all_gather(has_losses ? own : std::span<const float>(), all);
    } else {
      std::ranges::copy(own, all.begin());
    }
    return all;
  }

  StepGraph step;
  bool sees_pairs;  // of real and generated samples
  MicroBatches parts;
  Collectives* ranks;
  bool has_losses;  // the others ask those who have
  std::unique_ptr<DevicePlan> plan;
  std::vector<TrainedNetwork> networks;  // as they were bound
  std::vector<HostDeviceBuffer> losses;
};

GanStep::GanStep(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GanStep::GanStep(GanStep&&) noexcept = default;
GanStep& GanStep::operator=(GanStep&&) noexcept = default;
GanStep::~GanStep() = default;

void GanStep::bind(std::uint32_t model, const TrainedNetwork& network, Region opponent) {
  LIPIZZ_ASSERT(network.loss < losses().size());
  LIPIZZ_ASSERT(impl_->sees_pairs || !losses()[network.loss].is_relativistic);
  const StepGraph& step = impl_->step;
  impl_->networks[model] = network;
  impl_->bind(step.parameters, model, network.parameters, step.held.trained);
  for (std::size_t m = 0; m < step.moments.size(); ++m) {
    const std::size_t n = network.moments.size / step.moments.size();
    LIPIZZ_ASSERT(n == step.shard.n || n >= step.shard.end());
    const std::size_t first = n > step.shard.n ? step.shard.first : 0;
    impl_->plan->bind(step.moments[m], model, network.moments.part(m * n + first, step.shard.n));
  }
  if (step.average) impl_->bind(*step.average, model, network.average, step.held.trained);
  impl_->bind(*step.opponent, model, opponent, step.held.opponent);
}

void GanStep::feed(std::uint32_t model, const StepFeed& feed) {
  const TrainedNetwork& network = impl_->networks[model];
  const std::span<float> told = impl_->plan->setting(impl_->step.settings, model);
  told[StepSettings::kRate] = network.learning_rate;
  told[StepSettings::kStep] = static_cast<float>(network.step);
  told[StepSettings::kProgress] = network.progress;
  told[StepSettings::kLoss] = static_cast<float>(network.loss);
  Draw{feed.noise.stream(), feed.first_row}.write(&told[StepSettings::kInputs]);
  Draw{feed.uniforms.stream(), feed.step}.write(&told[StepSettings::kUniforms]);
  const std::span<float> indices = told.subspan(StepSettings::kIndices);
  LIPIZZ_ASSERT(feed.samples.size() == indices.size());
  std::ranges::transform(feed.samples, indices.begin(), float_of);
}

void GanStep::run() {
  impl_->plan->run();
}

std::size_t GanStep::n_launches() const {
  return impl_->plan->n_launches();
}

// One after the other: the bits do not depend on who computed which.
float GanStep::loss(std::uint32_t model) {
  float sum = 0;
  for (const float loss : impl_->losses_of_all(model)) sum += loss;
  return sum;
}

GeneratorStep::GeneratorStep(Device& device, const GanSpec& gan, const OptimizerSpec& optimizer,
                             const SampleSource& source, std::uint32_t batch,
                             std::uint32_t n_models, const StepOptions& options)
    : GanStep(std::make_unique<Impl>(
          device, generator_step_graph(gan, optimizer, batch, options, form_for(device, source)),
          n_models, options.is_relativistic,
          micro_batches(batch, options.n_micro_batches, device.replicas()))) {}

DiscriminatorStep::DiscriminatorStep(Device& device, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, const SampleSource& source,
                                     std::uint32_t batch, std::uint32_t n_models,
                                     const StepOptions& options)
    : GanStep(std::make_unique<Impl>(
          device,
          discriminator_step_graph(gan, optimizer, batch, options, form_for(device, source)),
          n_models, true, micro_batches(batch, options.n_micro_batches, device.replicas()))) {}

}  // namespace lipizz::nn
