#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coev/genome.hpp"
#include "coev/history.hpp"
#include "coev/routine_times.hpp"
#include "coev/sample_orders.hpp"
#include "coev/settings.hpp"
#include "coev/subpopulation.hpp"
#include "coev/training_samples.hpp"
#include "data/dataset.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/exec/device.hpp"
#include "nn/train/gan_step.hpp"
#include "nn/train/micro_batch.hpp"

namespace lipizz::coev {

/// A cell's offspring in training. Each step is made against a member of the sub-population or a
/// network of the cell's past, which coev/opponents.hpp chooses anew; in the centre's place stands
/// the offspring itself.
struct TrainingJob {
  CellId cell;
  Pair* offspring;
  const Subpopulation* opponents;
  const History* history = nullptr;  // none: a cell without past networks
  std::uint32_t number = 0;          // of the offspring among those of its cell
};

/// Updates of an offspring that its training left out, since gradients were not finite
/// (nn::OptimizerSpec::checks_gradients), and all that it tried.
struct LeftOut {
  std::uint32_t n = 0;
  std::uint32_t n_tried = 0;
};

/// The gradient steps of one generation for as many cells as the programs have models, in lockstep
/// (Goodfellow et al. 2014 between the networks of a neighbourhood; Schmiedlechner et al. 2018). A
/// cell's bits do not depend on which others train beside it. Departure: the original's moments and
/// rates are those of the last state that was loaded, so that its mutation of rates does nothing.
class Trainer {
 public:
  /// The references must outlive the trainer.
  Trainer(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
          std::uint32_t n_models);

  /// Bytes that the steps of one model take beside the networks, found without preparing them.
  static nn::PlanBytes bytes(const Settings& settings, const nn::Engine& engine);

  /// A generation's batches of passes over the training samples, or over each cell's share of them
  /// (data dieting, Toutouh et al. 2020), each pass in an order of each cell's own and without a
  /// last batch that is not full. jobs: n_models. `keep_going` is
  /// asked before every batch; when it returns false, throws Interrupted and leaves the offspring
  /// half trained. Adds the time of all to `spent`.
  void train(std::span<const TrainingJob> jobs, Generation generation,
             const std::function<bool()>& keep_going, RoutineTimes& spent);

  [[nodiscard]] std::uint32_t n_models() const { return n_models_; }
  [[nodiscard]] const PerRole<LeftOut>& left_out(std::uint32_t model) const {
    return left_out_[model];
  }

 private:
  // Where the networks of one model lie on the device.
  struct UploadedNetworks {
    PerRole<UploadedGenome> offspring;
    // The sub-population's, the offspring first, and the cell's past networks behind it.
    PerRole<std::vector<nn::Region>> opponents;
    PerRole<std::uint32_t> n_past{};
  };

  // The random numbers of one model in this generation.
  struct RandomStreams {
    RandomStreams(std::uint64_t seed, CellId cell, Generation generation);
    struct OfNetwork {
      Random noise, opponent, rate, uniforms;
    };
    PerRole<OfNetwork> of;
    Random loss;
  };

  [[nodiscard]] std::uint32_t batches_of_pass() const;
  [[nodiscard]] std::uint32_t n_batches() const;  // of a generation
  [[nodiscard]] std::uint32_t place_in_pass(std::uint32_t batch) const;
  void prepare(std::span<const TrainingJob> jobs, Generation generation);
  [[nodiscard]] nn::GanStep& program(NetworkRole role);
  void finish(std::span<const TrainingJob> jobs);
  void begin_pass(std::span<const TrainingJob> jobs, std::uint64_t pass);
  [[nodiscard]] const NetworkSettings& network(NetworkRole role) const;
  void upload(const TrainingJob& job);
  void mutate(NetworkRole role, std::span<const TrainingJob> jobs, std::uint32_t batch);
  [[nodiscard]] SchedulePoint schedule_point(NetworkRole role, std::uint32_t batch) const;
  void train(NetworkRole role, std::span<const TrainingJob> jobs, std::uint32_t batch);
  [[nodiscard]] nn::Region opponent(NetworkRole trained, std::uint32_t model,
                                    std::uint32_t step) const;
  /// Tells the dataset what this rank will read of a batch of this pass.
  void expect(std::uint32_t batch) const;
  [[nodiscard]] std::span<const std::uint32_t> indices(std::uint32_t model,
                                                       std::uint32_t batch) const;

  const Settings& settings_;
  const data::Dataset& dataset_;
  TrainingSamples samples_;
  std::uint32_t n_models_;
  std::vector<nn::Rows> own_rows_;  // of a batch
  nn::UploadScope uploads_;
  nn::GeneratorStep generator_step_;
  nn::DiscriminatorStep discriminator_step_;
  std::vector<RandomStreams> streams_;      // one for each model
  std::vector<UploadedNetworks> networks_;  // one for each model
  std::vector<PerRole<LeftOut>> left_out_;  // one for each model
  Generation generation_ = 0;               // in training
  std::uint64_t first_batch_ = 0;           // the first one of this generation, counted over all
  SampleOrders orders_;
  std::vector<std::span<const std::uint32_t>> order_;  // of each model in the pass in progress
};

}  // namespace lipizz::coev
