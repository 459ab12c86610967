#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/support.hpp"
#include "worker/mixture_folder.hpp"

namespace lipizz::worker::testing {

/// Initial parameters with something added to each, so that nothing is zero or one.
inline nn::Buffer<float> parameters_of(const nn::NetworkSpec& network, std::uint64_t seed) {
  nn::Buffer<float> parameters = nn::testing::initial(network, seed);
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  const Random random(seed, Purpose::kTest);
  for (const auto* blocks : {&layout.blocks, &layout.statistics}) {
    for (const nn::ParameterBlock& block : *blocks) {
      if (block.role == nn::Role::kSingular) continue;
      for (std::size_t i = block.offset; i < block.offset + nn::n_elements(block.shape); ++i) {
        parameters[i] += 0.1f * random.uniform(static_cast<std::uint32_t>(i));
      }
    }
  }
  return parameters;
}

/// The folder of a mixture of two generators, removed at the end.
class WrittenMixture {
 public:
  WrittenMixture(const std::string& name, const nn::GanSpec& model, std::uint32_t n,
                 const std::string& model_name = "auto", double first_weight = 0.5)
      : path_(std::filesystem::path(::testing::TempDir()) / ("lipizz_mixture_" + name)),
        model_(model) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    examples_.n = n;
    examples_.inputs.resize(std::size_t{n} * model.latent());
    Random(1, Purpose::kTest).normals(0, n, model.latent(), examples_.inputs);
    for (std::uint32_t i = 0; i < n && model.n_classes() > 0; ++i) {
      examples_.labels.push_back(static_cast<float>(i % model.n_classes()));
    }
    const std::vector<nn::Buffer<float>> generators{parameters_of(model.generator, 1),
                                                    parameters_of(model.generator, 2)};
    std::vector<coev::Island::MixtureMember> members;
    for (const nn::Buffer<float>& generator : generators) {
      members.push_back({{static_cast<std::uint32_t>(members.size())},
                         members.empty() ? first_weight : 1 - first_weight,
                         generator});
      examples_.samples.push_back(samples_of(generator));
    }
    config::Experiment experiment;
    experiment.grid = {1, 2};
    experiment.model.name = model_name;
    write_mixture(path_, {.experiment = experiment,
                          .model = model,
                          .kind = is_image() ? data::SampleKind::kImage : data::SampleKind::kPoint,
                          .shape = sample_shape(),
                          .members = members,
                          .examples = examples_,
                          .cell = {1},
                          .generation = 7,
                          .score = 2.5});
  }
  ~WrittenMixture() { std::filesystem::remove_all(path_); }
  WrittenMixture(const WrittenMixture&) = delete;
  WrittenMixture& operator=(const WrittenMixture&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] nlohmann::json description() const {
    return nlohmann::json::parse(std::ifstream(path_ / "mixture.json"));
  }

 private:
  [[nodiscard]] bool is_image() const { return model_.discriminator.inputs.size() == 3; }
  [[nodiscard]] data::SampleShape sample_shape() const {
    const nn::Shape& shape = model_.discriminator.inputs;
    return is_image() ? data::SampleShape{shape[0], shape[1], shape[2]}
                      : data::SampleShape{1, 1, shape[0]};
  }
  std::vector<float> samples_of(std::span<const float> generator) {
    nn::HostDevice device(nn::testing::engines().back());
    nn::Inference inference(device, model_.generator, examples_.n, 1);
    std::ranges::copy(examples_.labels, inference.labels().begin());
    std::vector<float> samples(std::size_t{examples_.n} * nn::n_outputs(model_.generator));
    nn::testing::infer(device, inference, generator, examples_.inputs, samples);
    return samples;
  }

  std::filesystem::path path_;
  nn::GanSpec model_;
  coev::MixtureExamples examples_;
};

}  // namespace lipizz::worker::testing
