#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::report {

/// The part of a run's config.json that a reader of its folder needs. Unlike config::apply_file()
/// this reads what other versions of lipizz wrote, too: what is not there is left as here.
struct RunConfiguration {
  std::string name;
  std::string dataset;
  std::string model;  // its name, or the JSON of all of it
  std::uint64_t seed = 0;
  grid::Torus torus;
  Generation generations = 0;  // of the whole run
  bool is_asynchronous = false;
  std::string recombination = "none";
  std::uint32_t score_every = 1;  // generations; 0: only at the end
  std::uint32_t n_samples = 0;    // of the final score
  std::uint32_t n_samples_training = 0;
  std::string text;  // all of it, JSON
};

/// `source` stands in messages. ConfigError when the text is not the configuration of a run, and
/// for a grid that no run has (at most 2^24 cells).
RunConfiguration parse_run_configuration(std::string text, std::string_view source);

/// ConfigError when `folder` is no run's, which is one with a config.json in it.
RunConfiguration read_run_configuration(const std::filesystem::path& folder);

}  // namespace lipizz::report
