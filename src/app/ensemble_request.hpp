#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/command_line.hpp"
#include "coev/mixture_weighting.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// A task of `lipizz ensemble`.
struct EnsembleRequest {
  config::Operator weighting_text;  // with all its parameters
  coev::Configured<coev::MixtureWeighting> weighting;
  std::uint32_t n_samples = 10'000;     // of each generator, and of what is scored afresh
  std::uint64_t seed = 1;               // of samples and search
  std::optional<std::uint32_t> size{};  // the most members; none: of the whole pool
  bool is_best = false;                 // mixture-best/ of each run in place of mixture/
  std::filesystem::path output{};
};

/// ConfigError when an option makes no sense, or --output is missing.
EnsembleRequest ensemble_request(const CommandLine& line);

}  // namespace lipizz::app
