#include "app/ensemble_pool.hpp"

#include <fmt/format.h>

#include "checkpoint/network_description.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

[[noreturn]] void refuse(const std::string& run, const std::string& what) {
  throw ConfigError("ensemble " + run + ": " + what);
}

// The data that a run has learnt from.
std::string data_text(const RunMixture& run) {
  const std::string& path = run.experiment().data.own.path;
  return run.about().dataset + (path.empty() ? "" : " of " + path);
}

std::string shape_of(const RunMixture& run) {
  const worker::MixtureDescription& about = run.about();
  const data::SampleShape& shape = about.shape;
  if (about.kind == data::SampleKind::kPoint) return fmt::format("{} numbers", shape.size());
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

bool is_same_network(const RunMixture& a, const RunMixture& b) {
  return checkpoint::network_description(a.about().model.generator) ==
             checkpoint::network_description(b.about().model.generator) &&
         a.about().model.n_classes() == b.about().model.n_classes() &&
         a.about().model.n_condition_channels == b.about().model.n_condition_channels;
}

}  // namespace

EnsemblePool::EnsemblePool(const CommandLine& line, bool is_best) : names_(line.arguments) {
  for (const std::string& name : names_) {
    runs_.push_back(std::make_unique<RunMixture>(line, name, is_best));
    for (std::size_t i = 0; i < runs_.back()->about().generators.size(); ++i) {
      members_.push_back({runs_.size() - 1, i});
    }
  }
  expect_alike();
  check_examples();
}

void EnsemblePool::expect_alike() const {
  for (std::size_t i = 1; i < runs_.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (runs_[i]->run() == runs_[k]->run()) refuse(names_[i], "this run is named twice");
    }
    const auto expect = [&](bool is_alike, const std::string& ours, const std::string& theirs) {
      if (is_alike) return;
      refuse(names_[i], fmt::format("expected {}, as {} has, found {}; make an ensemble of runs "
                                    "that agree in it",
                                    ours, names_.front(), theirs));
    };
    const std::string dataset = "the dataset ";
    const std::string samples = "samples of ";
    expect(data_text(*runs_[i]) == data_text(first()), dataset + data_text(first()),
           data_text(*runs_[i]));
    expect(runs_[i]->about().shape == first().about().shape, samples + shape_of(first()),
           shape_of(*runs_[i]));
    expect(is_same_network(*runs_[i], first()), "the same network of generators", "another one");
  }
}

void EnsemblePool::check_examples() {
  const data::Dataset* const pairs = first().is_of_pairs() ? &first().dataset() : nullptr;
  for (const auto& run : runs_) samplers_.emplace_back(first().device(), run->mixture(), pairs);
}

const worker::MixtureDescription::Generator& EnsemblePool::about(const Member& member) const {
  return runs_[member.run]->about().generators[member.generator];
}

const nn::SharedBuffer<float>& EnsemblePool::parameters(const Member& member) const {
  return runs_[member.run]->mixture().parameters[member.generator];
}

std::vector<float> EnsemblePool::samples_of_examples(const Member& member) {
  const coev::MixtureExamples& examples = first().mixture().examples;
  return samplers_[member.run].samples_of(member.generator, examples.inputs, examples.labels);
}

}  // namespace lipizz::app
