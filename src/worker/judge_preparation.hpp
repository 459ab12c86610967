#pragma once

#include <exception>
#include <functional>
#include <thread>

#include "core/bytes.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::worker {

/// Prepares a run's judge on a thread of its own, which is prepared for computing: cells train
/// meanwhile.
class JudgePreparation {
 public:
  /// From the cache or by training; what `progress` throws ends it.
  using Prepare = std::function<Bytes(const metrics::Progress& progress)>;
  struct Outcome {
    std::function<void(Bytes)> prepared;
    std::function<void(const std::exception_ptr&)> failed;  // by an error of its own
  };

  /// Begins at once. `outcome` is told on that thread.
  JudgePreparation(Prepare prepare, Outcome outcome);

  /// Ends it within one batch of the judge's training; then nothing is told.
  ~JudgePreparation() = default;

 private:
  std::jthread thread_;
};

}  // namespace lipizz::worker
