#pragma once

#include <cstdint>

#include "config/experiment.hpp"

namespace lipizz::config {

/// The meaning of checkpoint.every; both 0: off.
struct CheckpointInterval {
  double seconds = 0;
  std::uint32_t generations = 0;
};
/// `60s`, `0.5s`, `5` or `off`; ConfigError on anything else.
CheckpointInterval checkpoint_interval(const Checkpoint& checkpoint);

}  // namespace lipizz::config
