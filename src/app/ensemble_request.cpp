#include "app/ensemble_request.hpp"

#include <string>

#include "app/option_number.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "setup/operators.hpp"

namespace lipizz::app {
namespace {

constexpr const char* kUsualWeighting = "genetic";
constexpr std::uint32_t kMostSamples = 100'000'000;

config::Operator weighting_of(const CommandLine& line) {
  config::Experiment experiment;
  const std::string text =
      line.given.has("weighting") ? line.given.text("weighting") : kUsualWeighting;
  config::apply_value("mixture", text, "--weighting", experiment);
  return config::completed(experiment.operators.mixture,
                           coev::declarations_of(coev::mixture_weightings()), "--weighting");
}

}  // namespace

EnsembleRequest ensemble_request(const CommandLine& line) {
  const config::Operator weighting = weighting_of(line);
  EnsembleRequest request{
      .weighting_text = weighting,
      .weighting = setup::configured(coev::mixture_weightings(), weighting, "--weighting")};
  if (request.weighting->measure == coev::MixtureMeasure::kRecall) {
    throw ConfigError("--weighting: expected one by scores, which cost no samples; found " +
                      std::string(request.weighting->name));
  }
  read_number(line, "number", 2U, kMostSamples, request.n_samples);
  read_number<std::uint64_t>(line, "seed", 0, UINT64_MAX, request.seed);
  if (line.given.has("size")) {
    request.size = whole_number("size", line.given.text("size"), 1U, UINT32_MAX);
  }
  request.is_best = line.given.has_flag("best");
  request.output = line.run.output_dir;
  if (request.output.empty()) {
    throw ConfigError("ensemble: expected --output DIR, a folder that does not exist yet");
  }
  if (!request.output.has_filename()) request.output = request.output.parent_path();
  return request;
}

}  // namespace lipizz::app
