#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/random.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/exec/device.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// The planned computations of GAN training. Each is planned once for a device, a batch size and a
/// number of models, and then run thousands of times without allocating. Models are independent:
/// the bits of one do not depend on how many there are, nor on its place among them.
///
/// A program is used by its device's thread. `bind` says where a model's networks lie; it is cheap
/// (no allocation) and holds until the next bind of that model. `run` computes all models; on a
/// device of its own it only has that done, and whatever reads a result waits for it.

/// A network in training: its state on the device, updated in place.
struct TrainedNetwork {
  Region parameters;  // [n_padded], or what this rank holds of it (StepGraph::stage); so below
  Region moments;     // [n_moments * n_padded], as the optimizer's table says; those of this rank's
                      // shard (StepGraph::shard) are read and updated, or are all: [n_moments * n];
                      // on the host where OptimizerSpec::moments_on_host says so
  float learning_rate = 0;
  LossId loss = 0;
  std::uint32_t step = 0;  // updates made before this one; Adam's bias correction needs it
  Region average{};        // [n_padded]; empty where none is kept
  float progress = 0;      // of its schedule, from 0 to 1
};

/// The gradients of a network, as far as later steps have to know of them.
struct GradientHistory {
  float loss_scale = 0;         // of the next step, where it is dynamic; 0: as at the beginning
  std::uint32_t n_good = 0;     // LossScale::kGood
  std::uint32_t n_skipped = 0;  // updates that were left out since begin()
  bool operator==(const GradientHistory&) const = default;
};

/// The random numbers of one step of a model, and its samples.
struct StepFeed {
  Random noise;                            // of the generator's inputs
  std::uint32_t first_row = 0;             // the sample of that noise that the first row is
  Random uniforms;                         // of dropout, augmentation and penalties
  std::uint32_t step = 0;                  // its sample of these
  std::span<const std::uint32_t> samples;  // [batch], of the source
};

/// One optimizer step of one network of a pair against the other one, which is frozen.
///
/// A step draws for itself: row r of its noise is sample first_row + r, and asks for class
/// (first_row + r) mod n_classes; of pairs the inputs are the conditions of the samples.
class GanStep {
 public:
  GanStep(GanStep&&) noexcept;
  GanStep& operator=(GanStep&&) noexcept;

  void bind(std::uint32_t model, const TrainedNetwork& network, Region opponent);
  /// Says what steps before have seen of the gradients of a model that is another one from now on.
  /// Not needed where they are not checked (OptimizerSpec::checks_gradients), or of none yet.
  void begin(std::uint32_t model, const GradientHistory& before);
  /// The same after all steps since. The steps of a model are counted with those that were left
  /// out; an update is told of the others alone.
  [[nodiscard]] GradientHistory history(std::uint32_t model);
  /// Before each run.
  void feed(std::uint32_t model, const StepFeed& feed);
  void run();
  /// The number of launches of one run (nn/exec/device.hpp).
  [[nodiscard]] std::size_t n_launches() const;
  /// The loss of the last run, before its update. Where several ranks compute a step, all of them
  /// ask.
  [[nodiscard]] float loss(std::uint32_t model);

 protected:
  struct Impl;
  explicit GanStep(std::unique_ptr<Impl> impl);
  ~GanStep();

 private:
  std::unique_ptr<Impl> impl_;
};

/// The generator's: z -> G -> D -> loss. No gradient of a discriminator weight is computed. The
/// samples are those of pairs; others are not looked at.
class GeneratorStep : public GanStep {
 public:
  GeneratorStep(Device& device, const GanSpec& gan, const OptimizerSpec& optimizer,
                const SampleSource& source, std::uint32_t batch, std::uint32_t n_models,
                const StepOptions& options = {});
};

/// The discriminator's: real samples and fakes go through D in one pass. No gradient of a generator
/// weight or, without a penalty, of an image is computed.
class DiscriminatorStep : public GanStep {
 public:
  DiscriminatorStep(Device& device, const GanSpec& gan, const OptimizerSpec& optimizer,
                    const SampleSource& source, std::uint32_t batch, std::uint32_t n_models,
                    const StepOptions& options = {});
};

}  // namespace lipizz::nn
