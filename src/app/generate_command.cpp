#include "app/generate_command.hpp"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/generate_request.hpp"
#include "app/run_mixture.hpp"
#include "app/sample_output.hpp"
#include "coev/latent_path.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/nearest.hpp"

namespace lipizz::app {
namespace {

// Hands samples on with their neighbours, and keeps the two that are nearest of all.
class Neighbourhood {
 public:
  Neighbourhood(const data::Dataset* dataset, std::uint32_t n_nearest)
      : dataset_(dataset), n_nearest_(n_nearest) {}

  std::vector<data::Neighbour> of(std::uint32_t first, std::span<const float> samples) {
    if (n_nearest_ == 0) return {};
    auto neighbours = data::nearest_training_samples(*dataset_, samples, n_nearest_);
    for (std::size_t i = 0; i < neighbours.size(); i += n_nearest_) {
      if (is_found_ && !(neighbours[i].distance < closest_.distance)) continue;
      is_found_ = true;
      closest_ = neighbours[i];
      sample_ = first + i / n_nearest_;
    }
    return neighbours;
  }
  [[nodiscard]] std::string closest() const {
    if (!is_found_) return {};
    return fmt::format("nearest of all: sample {} and training sample {}, distance {:.4g}\n",
                       sample_, closest_.index, closest_.distance);
  }

 private:
  const data::Dataset* dataset_;
  std::uint32_t n_nearest_;
  bool is_found_ = false;
  data::Neighbour closest_;
  std::uint64_t sample_ = 0;
};

std::vector<data::Label> classes_of_lines(const GenerateRequest& request, std::uint32_t n_classes) {
  if (request.only_class) return {static_cast<data::Label>(*request.only_class)};
  std::vector<data::Label> classes;
  for (std::uint32_t each = 0; each < n_classes; ++each) {
    classes.push_back(static_cast<data::Label>(each));
  }
  return classes;
}

// Lines between latents: a row for each pair and class.
struct Lines {
  std::vector<float> latents;
  std::vector<data::Label> labels;  // empty where there are no classes

  void add(std::span<const float> a, std::span<const float> b, std::uint32_t n_steps) {
    for (std::uint32_t step = 0; step < n_steps; ++step) {
      const float t = static_cast<float>(step) / static_cast<float>(n_steps - 1);
      const std::vector<float> latent = coev::on_great_circle(a, b, t);
      latents.insert(latents.end(), latent.begin(), latent.end());
    }
  }
};

Lines lines_of(const GenerateRequest& request, const worker::SavedMixtureSampler& sampler,
               std::uint32_t n_classes) {
  Lines lines;
  const std::vector<data::Label> classes = classes_of_lines(request, n_classes);
  for (const auto& [a, b] : request.between) {
    const std::vector<float> begin = sampler.first_latent(a);
    const std::vector<float> end = sampler.first_latent(b);
    if (classes.empty()) lines.add(begin, end, request.n_steps);
    for (const data::Label each : classes) {
      lines.add(begin, end, request.n_steps);
      lines.labels.insert(lines.labels.end(), request.n_steps, each);
    }
  }
  return lines;
}

using Sink = worker::SavedMixtureSampler::Sink;

void make_samples(const GenerateRequest& request, RunMixture& mixture, const Sink& sink) {
  worker::SavedMixtureSampler& sampler = mixture.sampler();
  if (request.between.empty()) {
    sampler.draw({.seed = request.seed, .only_class = request.only_class}, request.n, sink);
    return;
  }
  const Lines lines = lines_of(request, sampler, mixture.about().model.n_classes());
  const std::vector<float> labels(lines.labels.begin(), lines.labels.end());
  sink(0, sampler.samples_of(mixture.heaviest(), lines.latents, labels), lines.labels);
}

std::string source_text(const GenerateRequest& request, const RunMixture& mixture) {
  const auto& generators = mixture.about().generators;
  const config::Compute& compute = mixture.experiment().compute;
  std::string who =
      fmt::format("the mixture of cell {},{}", mixture.about().row, mixture.about().column);
  if (!request.between.empty()) {
    const auto& one = generators[mixture.heaviest()];
    who = fmt::format("the generator of cell {},{}, the heaviest of {} in {}", one.row, one.column,
                      generators.size(), who);
  }
  return fmt::format("{} of {}, generation {}, computed on {} by {} ({})\n",
                     counted(request.n, "sample"), who, mixture.about().generation, compute.device,
                     compute.engine, compute.numerics);
}

void expect_enough(const GenerateRequest& request, const data::Dataset* dataset) {
  if (request.n_nearest == 0 || request.n_nearest <= dataset->n_train()) return;
  throw ConfigError(fmt::format("--nearest: expected at most the {} training samples there are",
                                dataset->n_train()));
}

}  // namespace

int generate_command(const CommandLine& line, std::ostream& out) {
  const GenerateRequest asked = generate_request(line);
  RunMixture mixture(line, line.arguments.front(), asked.is_best);
  const GenerateRequest request = completed(asked, mixture.about(), mixture.run());
  const bool is_scatter =
      *request.format == SampleFormat::kSheet && mixture.about().kind == data::SampleKind::kPoint;
  const data::Dataset* dataset = nullptr;
  if (is_scatter || request.n_nearest > 0) dataset = &mixture.dataset();
  expect_enough(request, dataset);
  const auto output = make_output(request, mixture.about(), dataset);
  Neighbourhood neighbourhood(dataset, request.n_nearest);
  make_samples(request, mixture,
               [&](std::uint32_t first, std::span<const float> samples,
                   std::span<const data::Label> labels) {
                 output->take({samples, labels, neighbourhood.of(first, samples)});
               });
  const std::string written = output->finish();
  out << source_text(request, mixture) << neighbourhood.closest() << "written to " << written
      << "\n";
  if (!(out << std::flush)) throw ConfigError("cannot write to the standard output");
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace lipizz::app
