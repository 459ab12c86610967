#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/run_mixture.hpp"
#include "worker/saved_mixture.hpp"
#include "worker/saved_mixture_sampler.hpp"

namespace lipizz::app {

/// The generators that finished runs have in their mixtures, of which an ensemble is made (Toutouh,
/// Hemberg and O'Reilly 2020). All are of one dataset and one network, and are computed together,
/// with the engine and numerics level of the first run. The runs' folders are only read.
class EnsemblePool {
 public:
  /// A generator of the pool.
  struct Member {
    std::size_t run;        // among runs()
    std::size_t generator;  // in its mixture
  };

  /// The runs are the arguments of the command. is_best: as of RunMixture, with whose errors;
  /// ConfigError when a run is named twice, or is of another dataset or network than the first;
  /// CheckpointError when a generator does not make its examples.
  EnsemblePool(const CommandLine& line, bool is_best);

  /// As they were typed.
  [[nodiscard]] const std::string& name(std::size_t run) const { return names_[run]; }
  [[nodiscard]] std::span<const std::unique_ptr<RunMixture>> runs() const { return runs_; }
  /// Run by run.
  [[nodiscard]] std::span<const Member> members() const { return members_; }
  [[nodiscard]] const worker::MixtureDescription::Generator& about(const Member& member) const;
  [[nodiscard]] const nn::SharedBuffer<float>& parameters(const Member& member) const;
  /// The samples that a member makes of the inputs in the examples of the first run.
  [[nodiscard]] std::vector<float> samples_of_examples(const Member& member);

  /// Whose dataset, network, engine and metric all have.
  [[nodiscard]] RunMixture& first() const { return *runs_.front(); }

 private:
  void expect_alike() const;
  void check_examples();

  std::vector<std::string> names_;
  std::vector<std::unique_ptr<RunMixture>> runs_;
  std::vector<Member> members_;
  std::deque<worker::SavedMixtureSampler> samplers_;  // of each run, on the first's device
};

}  // namespace lipizz::app
