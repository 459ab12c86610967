#include "nn/programs.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "nn/inference_graph.hpp"
#include "nn/plan.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {
namespace {

// One model's own inputs and outputs of a training step; what the step has no slot for is empty.
struct StepMemory {
  Buffer<float> inputs;
  Buffer<float> samples;
  Buffer<float> labels;
  Buffer<float> uniforms;
  Buffer<float> losses;
  float settings[3] = {};
};

// A planned training step with the memory of each of its models.
class Step {
 public:
  Step(const Engine& engine, StepGraph step, std::uint32_t n_models)
      : step_(std::move(step)), plan_(engine, step_.graph, n_models), models_(n_models) {
    for (std::uint32_t model = 0; model < n_models; ++model) {
      StepMemory& memory = models_[model];
      give(step_.inputs, model, memory.inputs);
      give(step_.samples, model, memory.samples);
      give(step_.labels, model, memory.labels);
      give(step_.losses, model, memory.losses);
      give_uniforms(model);
      plan_.bind(step_.settings, model, std::span<const float>(memory.settings));
    }
  }

  void bind(std::uint32_t model, const TrainedNetwork& network) {
    LIPIZZ_ASSERT(network.loss < losses().size());
    plan_.bind(step_.parameters, model, network.parameters);
    plan_.bind(step_.moments, model, network.moments);
    if (step_.average) plan_.bind(*step_.average, model, network.average);
    float* settings = models_[model].settings;
    settings[0] = network.learning_rate;
    settings[1] = static_cast<float>(network.step);
    settings[2] = static_cast<float>(network.loss);
  }

  void bind_opponent(std::uint32_t model, std::span<const float> parameters) {
    plan_.bind(*step_.opponent, model, parameters);
  }

  void draw(std::uint32_t model, const Random& random, std::uint32_t step) {
    random.uniforms(step, models_[model].uniforms);
  }

  void run() { plan_.run(); }
  StepMemory& memory(std::uint32_t model) { return models_[model]; }

  [[nodiscard]] float loss(std::uint32_t model) const {
    float sum = 0;
    for (const float loss : models_[model].losses) sum += loss;
    return sum;
  }

 private:
  [[nodiscard]] std::size_t size(SlotId slot) const {
    return step_.graph.slots()[slot.index].n_elements;
  }

  void give(std::optional<SlotId> slot, std::uint32_t model, Buffer<float>& memory) {
    if (!slot) return;
    memory.resize(size(*slot));
    point(*slot, model, memory);
  }

  void point(SlotId slot, std::uint32_t model, std::span<float> memory) {
    if (step_.graph.slots()[slot.index].access == Slot::Access::kRead) {
      plan_.bind(slot, model, std::span<const float>(memory));
    } else {
      plan_.bind(slot, model, memory);
    }
  }

  // One stretch of memory for all, drawn at once.
  void give_uniforms(std::uint32_t model) {
    std::size_t n = 0;
    for (const SlotId slot : step_.uniforms) n += size(slot);
    models_[model].uniforms.resize(n);
    std::span<float> rest(models_[model].uniforms);
    for (const SlotId slot : step_.uniforms) {
      point(slot, model, rest.first(size(slot)));
      rest = rest.subspan(size(slot));
    }
  }

  StepGraph step_;
  Plan<float> plan_;
  std::vector<StepMemory> models_;
};

}  // namespace

struct GanStep::Impl {
  Step step;
  std::size_t n_real;  // values of a batch of real samples
};

GanStep::GanStep(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GanStep::GanStep(GanStep&&) noexcept = default;
GanStep& GanStep::operator=(GanStep&&) noexcept = default;
GanStep::~GanStep() = default;

void GanStep::bind(std::uint32_t model, const TrainedNetwork& network,
                   std::span<const float> opponent) {
  impl_->step.bind(model, network);
  impl_->step.bind_opponent(model, opponent);
}
std::span<float> GanStep::inputs(std::uint32_t model) {
  return impl_->step.memory(model).inputs;
}
std::span<float> GanStep::real(std::uint32_t model) {
  Buffer<float>& samples = impl_->step.memory(model).samples;  // fakes may come behind
  return std::span<float>(samples).first(std::min(samples.size(), impl_->n_real));
}
std::span<float> GanStep::labels(std::uint32_t model) {
  return impl_->step.memory(model).labels;
}
void GanStep::draw(std::uint32_t model, const Random& random, std::uint32_t step) {
  impl_->step.draw(model, random, step);
}
void GanStep::run() {
  impl_->step.run();
}
float GanStep::loss(std::uint32_t model) const {
  return impl_->step.loss(model);
}

GeneratorStep::GeneratorStep(const Engine& engine, const GanSpec& gan,
                             const OptimizerSpec& optimizer, std::uint32_t batch,
                             std::uint32_t n_models, const StepOptions& options)
    : GanStep(std::make_unique<Impl>(
          Step(engine, generator_step_graph(gan, optimizer, batch, options), n_models),
          std::size_t{batch} * gan.sample())) {}

DiscriminatorStep::DiscriminatorStep(const Engine& engine, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, std::uint32_t batch,
                                     std::uint32_t n_models, const StepOptions& options)
    : GanStep(std::make_unique<Impl>(
          Step(engine, discriminator_step_graph(gan, optimizer, batch, options), n_models),
          std::size_t{batch} * gan.sample())) {}

struct ClassifierStep::Impl {
  Step step;
};

ClassifierStep::ClassifierStep(const Engine& engine, const NetworkSpec& network,
                               const OptimizerSpec& optimizer, std::uint32_t batch)
    : impl_(std::make_unique<Impl>(
          Step(engine, classifier_step_graph(network, optimizer, batch), 1))) {}
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
  return impl_->step.memory(0).labels;
}
void ClassifierStep::run() {
  impl_->step.run();
}
float ClassifierStep::loss() const {
  return impl_->step.loss(0);
}

struct Inference::Impl {
  InferenceGraph network;
  std::uint32_t batch;
  Plan<float> plan;
  Buffer<float> labels;
};

Inference::Inference(const Engine& engine, const NetworkSpec& network, std::uint32_t batch,
                     std::uint32_t n_models, std::uint32_t n_layers) {
  InferenceGraph made = inference_graph(network, batch, n_layers);
  Plan<float> plan(engine, made.graph, n_models);
  Buffer<float> labels(network.n_classes > 0 ? batch : 0);
  for (std::uint32_t model = 0; made.labels && model < n_models; ++model) {
    plan.bind(*made.labels, model, std::span<const float>(labels));
  }
  impl_ = std::make_unique<Impl>(Impl{std::move(made), batch, std::move(plan), std::move(labels)});
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
std::span<float> Inference::labels() {
  return impl_->labels;
}
void Inference::run() {
  impl_->plan.run();
}
std::uint32_t Inference::batch() const {
  return impl_->batch;
}

}  // namespace lipizz::nn
