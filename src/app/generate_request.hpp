#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "worker/saved_mixture.hpp"

namespace lipizz::app {

/// How samples are written: a PNG file for each, one array, one text, or one picture of all.
enum class SampleFormat { kPng, kNpy, kCsv, kSheet };

/// A task of `lipizz generate`.
struct GenerateRequest {
  std::uint32_t n = 100;
  std::uint64_t seed = 1;
  bool is_best = false;
  std::optional<std::uint32_t> only_class{};
  /// Lines between the latents of two seeds each; empty: samples.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> between{};
  std::uint32_t n_steps = 10;            // of a line, both ends among them
  std::uint32_t n_nearest = 0;           // training images beside each sample
  std::optional<SampleFormat> format{};  // none: by the output's name, else by the data
  std::filesystem::path output{};        // empty: in the working folder, by the run's name
};

/// ConfigError when an option makes no sense, alone or with the others.
GenerateRequest generate_request(const CommandLine& line);

/// The request with everything filled in and held against what the mixture is: format, output, and
/// without --class of lines one for each class. run: absolute. ConfigError when the mixture cannot
/// do what is asked for.
GenerateRequest completed(GenerateRequest request, const worker::MixtureDescription& mixture,
                          const std::filesystem::path& run);

}  // namespace lipizz::app
