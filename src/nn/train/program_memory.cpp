#include "nn/train/program_memory.hpp"

#include "nn/cpu/plan.hpp"
#include "nn/network/inference_graph.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {
namespace {

// Samples of some size, of which none is read.
class NoSamples final : public SampleSource {
 public:
  explicit NoSamples(std::uint32_t size) : size_(size) {}
  [[nodiscard]] std::uint32_t n_samples() const override { return 0; }
  [[nodiscard]] std::uint32_t sample_size() const override { return size_; }
  void read(std::span<const std::uint32_t>, std::span<float>) const override {}
  [[nodiscard]] std::uint32_t label(std::uint32_t) const override { return 0; }

 private:
  std::uint32_t size_;
};

}  // namespace

PlanBytes generator_step_bytes(const Engine& engine, const GanSpec& gan,
                               const OptimizerSpec& optimizer, std::uint32_t batch,
                               const StepOptions& options) {
  const NoSamples source(gan.sample());
  return planned_bytes(engine,
                       generator_step_graph(gan, optimizer, batch, options, {&source}).graph);
}

PlanBytes discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                   const OptimizerSpec& optimizer, std::uint32_t batch,
                                   const StepOptions& options) {
  const NoSamples source(gan.sample());
  return planned_bytes(engine,
                       discriminator_step_graph(gan, optimizer, batch, options, {&source}).graph);
}

PlanBytes classifier_step_bytes(const Engine& engine, const NetworkSpec& network,
                                const OptimizerSpec& optimizer, std::uint32_t batch) {
  return planned_bytes(engine, classifier_step_graph(network, optimizer, batch).graph);
}

PlanBytes inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch) {
  return planned_bytes(engine, inference_graph(network, batch).graph);
}

}  // namespace lipizz::nn
