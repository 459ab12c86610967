#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/random.hpp"
#include "nn/engine.hpp"
#include "nn/loss.hpp"
#include "nn/models.hpp"
#include "nn/optimizer.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {

/// The planned computations of GAN training. Each is planned once for an engine, a batch size and a
/// number of models, and then run thousands of times without allocating. Models are independent:
/// the bits of one do not depend on how many there are, nor on its place among them.
///
/// A program is used by one thread, prepared with prepare_compute_thread(). `bind` says where a
/// model's networks lie; it is cheap (no allocation) and holds until the next bind of that model.
/// Inputs are written into the spans that the program hands out, then `run` computes all models.

/// A network in training: its state, updated in place.
struct TrainedNetwork {
  std::span<float> parameters;  // [n_padded]
  std::span<float> moments;     // [n_moments * n_padded], as the optimizer's table says
  float learning_rate = 0;
  LossId loss = 0;
  std::uint32_t step = 0;      // updates made before this one; Adam's bias correction needs it
  std::span<float> average{};  // [n_padded]; empty where none is kept
};

/// One optimizer step of one network of a pair against the other one, which is frozen.
class GanStep {
 public:
  GanStep(GanStep&&) noexcept;
  GanStep& operator=(GanStep&&) noexcept;

  void bind(std::uint32_t model, const TrainedNetwork& network, std::span<const float> opponent);
  std::span<float> inputs(std::uint32_t model);  // the generator's, [batch, latent]
  std::span<float> real(std::uint32_t model);    // [batch, sample], in [-1, 1]; or empty
  std::span<float> labels(std::uint32_t model);  // classes of all rows; or empty
  /// Fills what the step draws beside its inputs; `step` is its place in the stream.
  void draw(std::uint32_t model, const Random& random, std::uint32_t step);
  void run();
  [[nodiscard]] float loss(std::uint32_t model) const;  // of the last run, before its update

 protected:
  struct Impl;
  explicit GanStep(std::unique_ptr<Impl> impl);
  ~GanStep();

 private:
  std::unique_ptr<Impl> impl_;
};

/// The generator's: z -> G -> D -> loss. No gradient of a discriminator weight is computed. Real
/// samples are asked for where inputs are conditions, and belong to these; labels are [batch].
class GeneratorStep : public GanStep {
 public:
  GeneratorStep(const Engine& engine, const GanSpec& gan, const OptimizerSpec& optimizer,
                std::uint32_t batch, std::uint32_t n_models, const StepOptions& options = {});
};

/// The discriminator's: real samples and fakes go through D in one pass. No gradient of a generator
/// weight or, without a penalty, of an image is computed. Labels are [2 * batch], of the real
/// samples and then of the fakes.
class DiscriminatorStep : public GanStep {
 public:
  DiscriminatorStep(const Engine& engine, const GanSpec& gan, const OptimizerSpec& optimizer,
                    std::uint32_t batch, std::uint32_t n_models, const StepOptions& options = {});
};

/// A network in inference mode: a row's result depends on that row (and its place in the batch)
/// alone. Serves generators (noise -> samples), discriminators (samples -> logits) and features.
class Inference {
 public:
  /// `n_layers` of the network from the start; all of them when 0.
  Inference(const Engine& engine, const NetworkSpec& network, std::uint32_t batch,
            std::uint32_t n_models, std::uint32_t n_layers = 0);
  Inference(Inference&&) noexcept;
  Inference& operator=(Inference&&) noexcept;
  ~Inference();

  /// Input and output are the caller's memory; several models may read the same input.
  /// input: [batch, inputs], output: [batch, outputs of the last layer asked for]
  void bind(std::uint32_t model, std::span<const float> parameters, std::span<const float> input,
            std::span<float> output);
  std::span<float> labels();  // [batch], of all models, or empty
  void run();
  [[nodiscard]] std::uint32_t batch() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One optimizer step of a classifier under softmax cross-entropy.
class ClassifierStep {
 public:
  ClassifierStep(const Engine& engine, const NetworkSpec& network, const OptimizerSpec& optimizer,
                 std::uint32_t batch);
  ClassifierStep(ClassifierStep&&) noexcept;
  ClassifierStep& operator=(ClassifierStep&&) noexcept;
  ~ClassifierStep();

  void bind(const TrainedNetwork& classifier);
  std::span<float> input();   // [batch, inputs]
  std::span<float> labels();  // [batch], class indices as numbers
  void run();
  [[nodiscard]] float loss() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::nn
