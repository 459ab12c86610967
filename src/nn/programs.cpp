#include "nn/programs.hpp"

#include <utility>

#include "core/check.hpp"
#include "nn/inference_graph.hpp"
#include "nn/plan.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {
namespace {

// One model's own inputs and outputs of a training step.
struct StepMemory {
  Buffer<float> noise;
  Buffer<float> samples;
  float settings[3] = {};
  float loss = 0;
};

// A planned training step with the memory of each of its models.
class Step {
 public:
  Step(const Engine& engine, const StepGraph& step, std::uint32_t n_models)
      : step_(step), plan_(engine, step.graph, n_models), models_(n_models) {
    for (std::uint32_t model = 0; model < n_models; ++model) {
      StepMemory& memory = models_[model];
      memory.noise.resize(step.graph.slots()[step.noise.index].n_elements);
      plan_.bind(step.noise, model, std::span<const float>(memory.noise));
      plan_.bind(step.settings, model, std::span<const float>(memory.settings));
      plan_.bind(step.loss, model, std::span<float>(&memory.loss, 1));
    }
  }

  // For the steps that read real samples; the slot may be larger than what the caller fills.
  void add_samples(Slot::Access access) {
    for (std::uint32_t model = 0; model < models_.size(); ++model) {
      Buffer<float>& samples = models_[model].samples;
      samples.resize(step_.graph.slots()[step_.samples.index].n_elements);
      if (access == Slot::Access::kRead) {
        plan_.bind(step_.samples, model, std::span<const float>(samples));
      } else {
        plan_.bind(step_.samples, model, std::span<float>(samples));
      }
    }
  }

  void bind(std::uint32_t model, const TrainedNetwork& network) {
    LIPIZZ_ASSERT(network.loss < losses().size());
    plan_.bind(step_.parameters, model, network.parameters);
    plan_.bind(step_.moments, model, network.moments);
    float* settings = models_[model].settings;
    settings[0] = network.learning_rate;
    settings[1] = static_cast<float>(network.step);
    settings[2] = static_cast<float>(network.loss);
  }

  void bind_opponent(std::uint32_t model, std::span<const float> parameters) {
    plan_.bind(step_.opponent, model, parameters);
  }

  void run() { plan_.run(); }
  StepMemory& memory(std::uint32_t model) { return models_[model]; }
  [[nodiscard]] const StepMemory& memory(std::uint32_t model) const { return models_[model]; }

 private:
  StepGraph step_;
  Plan<float> plan_;
  std::vector<StepMemory> models_;
};

}  // namespace

struct GeneratorStep::Impl {
  Step step;
};

GeneratorStep::GeneratorStep(const Engine& engine, const GanSpec& gan,
                             const OptimizerSpec& optimizer, std::uint32_t batch,
                             std::uint32_t n_models)
    : impl_(std::make_unique<Impl>(
          Step(engine, generator_step_graph(gan, optimizer, batch), n_models))) {}
GeneratorStep::GeneratorStep(GeneratorStep&&) noexcept = default;
GeneratorStep& GeneratorStep::operator=(GeneratorStep&&) noexcept = default;
GeneratorStep::~GeneratorStep() = default;

void GeneratorStep::bind(std::uint32_t model, const TrainedNetwork& generator,
                         std::span<const float> discriminator) {
  impl_->step.bind(model, generator);
  impl_->step.bind_opponent(model, discriminator);
}
std::span<float> GeneratorStep::noise(std::uint32_t model) {
  return impl_->step.memory(model).noise;
}
void GeneratorStep::run() {
  impl_->step.run();
}
float GeneratorStep::loss(std::uint32_t model) const {
  return impl_->step.memory(model).loss;
}

struct DiscriminatorStep::Impl {
  Step step;
};

DiscriminatorStep::DiscriminatorStep(const Engine& engine, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, std::uint32_t batch,
                                     std::uint32_t n_models)
    : impl_(std::make_unique<Impl>(
          Step(engine, discriminator_step_graph(gan, optimizer, batch), n_models))) {
  impl_->step.add_samples(Slot::Access::kReadWrite);
}
DiscriminatorStep::DiscriminatorStep(DiscriminatorStep&&) noexcept = default;
DiscriminatorStep& DiscriminatorStep::operator=(DiscriminatorStep&&) noexcept = default;
DiscriminatorStep::~DiscriminatorStep() = default;

void DiscriminatorStep::bind(std::uint32_t model, const TrainedNetwork& discriminator,
                             std::span<const float> generator) {
  impl_->step.bind(model, discriminator);
  impl_->step.bind_opponent(model, generator);
}
std::span<float> DiscriminatorStep::real(std::uint32_t model) {
  Buffer<float>& samples = impl_->step.memory(model).samples;
  return std::span<float>(samples).first(samples.size() / 2);
}
std::span<float> DiscriminatorStep::noise(std::uint32_t model) {
  return impl_->step.memory(model).noise;
}
void DiscriminatorStep::run() {
  impl_->step.run();
}
float DiscriminatorStep::loss(std::uint32_t model) const {
  return impl_->step.memory(model).loss;
}

struct ClassifierStep::Impl {
  Step step;
};

ClassifierStep::ClassifierStep(const Engine& engine, const NetworkSpec& network,
                               const OptimizerSpec& optimizer, std::uint32_t batch)
    : impl_(std::make_unique<Impl>(
          Step(engine, classifier_step_graph(network, optimizer, batch), 1))) {
  impl_->step.add_samples(Slot::Access::kRead);
}
ClassifierStep::ClassifierStep(ClassifierStep&&) noexcept = default;
ClassifierStep& ClassifierStep::operator=(ClassifierStep&&) noexcept = default;
ClassifierStep::~ClassifierStep() = default;

void ClassifierStep::bind(const TrainedNetwork& classifier) {
  impl_->step.bind(0, classifier);
}
std::span<float> ClassifierStep::input() {
  return impl_->step.memory(0).samples;
}
std::span<float> ClassifierStep::labels() {
  return impl_->step.memory(0).noise;
}
void ClassifierStep::run() {
  impl_->step.run();
}
float ClassifierStep::loss() const {
  return impl_->step.memory(0).loss;
}

struct Inference::Impl {
  InferenceGraph network;
  std::uint32_t batch;
  Plan<float> plan;
};

Inference::Inference(const Engine& engine, const NetworkSpec& network, std::uint32_t batch,
                     std::uint32_t n_models, std::uint32_t n_layers) {
  InferenceGraph made = inference_graph(network, batch, n_layers);
  Plan<float> plan(engine, made.graph, n_models);
  impl_ = std::make_unique<Impl>(Impl{std::move(made), batch, std::move(plan)});
}
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;
Inference::~Inference() = default;

void Inference::bind(std::uint32_t model, std::span<const float> parameters,
                     std::span<const float> input, std::span<float> output) {
  impl_->plan.bind(impl_->network.parameters, model, parameters);
  impl_->plan.bind(impl_->network.input, model, input);
  impl_->plan.bind(impl_->network.output, model, output);
}
void Inference::run() {
  impl_->plan.run();
}
std::uint32_t Inference::batch() const {
  return impl_->batch;
}

}  // namespace lipizz::nn
