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
  Impl(Device& device, StepGraph made, const MixedPrecision& of_values, std::uint32_t n_models,
       bool is_paired, MicroBatches dealt)
      : step(std::move(made)),
        mixed(of_values),
        sees_pairs(is_paired),
        parts(std::move(dealt)),
        ranks(device.collectives()),
        pipeline(device.pipeline()),
        plan(device.plan(step.graph, n_models, Exactness::kOfDevice)),
        networks(n_models) {
    const std::size_t n_losses = step.graph.slots()[step.losses.index].n_elements;
    for (std::uint32_t model = 0; model < n_models; ++model) {
      losses.emplace_back(device, n_losses);
      plan->bind(step.losses, model, losses.back().region());
      if (step.loss_scale) add_loss_scale(device, model);
    }
  }

  void add_loss_scale(Device& device, std::uint32_t model) {
    loss_scales.emplace_back(device, step.graph.slots()[step.loss_scale->index].n_elements);
    plan->bind(*step.loss_scale, model, loss_scales.back().region());
    begin(model, {});
  }

  // The same state for each stage.
  void begin(std::uint32_t model, const GradientHistory& before) {
    if (!step.loss_scale) return;
    const bool goes_on = mixed.is_dynamic() && before.loss_scale > 0;
    const float scale = goes_on ? before.loss_scale : mixed.first_loss_scale();
    HostDeviceBuffer& states = loss_scales[model];
    for (std::size_t i = 0; i < states.size(); i += LossScale::kSize) {
      const std::span<float> state = states.host().subspan(i, LossScale::kSize);
      state[LossScale::kScale] = scale;
      state[LossScale::kInverse] = 1 / scale;
      state[LossScale::kGood] = static_cast<float>(before.n_good);
      state[LossScale::kSkipped] = 0;
    }
    states.push(states.size());
  }

  [[nodiscard]] GradientHistory history(std::uint32_t model) {
    if (!step.loss_scale) return {};
    HostDeviceBuffer& states = loss_scales[model];
    states.pull(states.size());
    const std::size_t stage = pipeline == nullptr ? 0 : pipeline->stage();
    const std::span<const float> state = states.host().subspan(stage * LossScale::kSize);
    return {mixed.is_dynamic() ? state[LossScale::kScale] : 0,
            static_cast<std::uint32_t>(state[LossScale::kGood]),
            static_cast<std::uint32_t>(state[LossScale::kSkipped])};
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
    if (ranks == nullptr) return {own.begin(), own.end()};
    const std::size_t n_of_part = own.size() / parts.n();
    std::vector<float> of_ranks(n_of_part * parts.all.size());
    const bool has_losses = pipeline == nullptr || pipeline->is_last();  // others ask those
    ranks->all_gather(has_losses ? own : std::span<const float>(), of_ranks);
    std::vector<float> all(of_ranks.size());
    put_in_turn(of_ranks, n_of_part, parts.n_ranks(), all);
    return all;
  }

  StepGraph step;
  MixedPrecision mixed;
  bool sees_pairs;  // of real and generated samples
  MicroBatches parts;
  Collectives* ranks;
  const Pipeline* pipeline;
  std::unique_ptr<DevicePlan> plan;
  std::vector<TrainedNetwork> networks;  // as they were bound
  std::vector<HostDeviceBuffer> losses;
  std::vector<HostDeviceBuffer> loss_scales;  // none where gradients are not checked
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
  impl_->bind(step.parameters, model, network.parameters, step.stage.trained);
  for (std::size_t m = 0; m < step.moments.size(); ++m) {
    const std::size_t n = network.moments.size / step.moments.size();
    LIPIZZ_ASSERT(n == step.shard.n || n >= step.shard.end());
    const std::size_t first = n > step.shard.n ? step.shard.first : 0;
    impl_->plan->bind(step.moments[m], model, network.moments.part(m * n + first, step.shard.n));
  }
  if (step.average) impl_->bind(*step.average, model, network.average, step.stage.trained);
  impl_->bind(*step.opponent, model, opponent, step.stage.opponent);
}

void GanStep::begin(std::uint32_t model, const GradientHistory& before) {
  impl_->begin(model, before);
}

GradientHistory GanStep::history(std::uint32_t model) {
  return impl_->history(model);
}

void GanStep::feed(std::uint32_t model, const StepFeed& feed) {
  const TrainedNetwork& network = impl_->networks[model];
  const std::span<float> told = impl_->plan->setting(impl_->step.settings, model);
  told[StepSettings::kRate] = network.learning_rate;
  told[StepSettings::kStep] = static_cast<float>(network.step);
  told[StepSettings::kProgress] = network.progress;
  told[StepSettings::kLeftOut] = 0;
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
          optimizer.mixed, n_models, options.is_relativistic,
          micro_batches(batch, options.n_micro_batches, device.replicas()))) {}

DiscriminatorStep::DiscriminatorStep(Device& device, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, const SampleSource& source,
                                     std::uint32_t batch, std::uint32_t n_models,
                                     const StepOptions& options)
    : GanStep(std::make_unique<Impl>(
          device,
          discriminator_step_graph(gan, optimizer, batch, options, form_for(device, source)),
          optimizer.mixed, n_models, true,
          micro_batches(batch, options.n_micro_batches, device.replicas()))) {}

}  // namespace lipizz::nn
