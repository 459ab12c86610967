#include "worker/mixture_folder.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/network_description.hpp"
#include "checkpoint/weights.hpp"
#include "config/model.hpp"
#include "core/atomic_file.hpp"
#include "setup/settings.hpp"
#include "worker/mixture_reader.hpp"

namespace lipizz::worker {
namespace {

using OrderedJson = nlohmann::ordered_json;
using checkpoint::DType;
using checkpoint::TensorView;

constexpr const char* kExamples = "examples.safetensors";

std::string file_of(const coev::Island::MixtureMember& member) {
  return fmt::format("cell-{}.safetensors", member.cell.value);
}

// Sums in another order differ in their last bits, and short formats in more than these.
double tolerance_of(const config::Compute& compute) {
  if (compute.precision != "f32") return 0.1;
  return compute.device == "cpu" ? 1e-4 : 1e-3;
}

std::vector<std::uint64_t> sample_dimensions(const MixtureToWrite& mixture) {
  const auto& [height, width, channels] = mixture.shape;
  if (mixture.kind == data::SampleKind::kPoint) return {mixture.shape.size()};
  return {height, width, channels};
}

OrderedJson noise_json(const nn::GanSpec& model) {
  if (model.n_condition_channels > 0) return nullptr;
  return {
      {"distribution", "normal"}, {"mean", 0}, {"deviation", 1}, {"shape", model.generator.inputs}};
}

OrderedJson condition_json(const nn::GanSpec& model) {
  if (model.n_condition_channels == 0) return nullptr;
  return {{"shape", model.generator.inputs}, {"range", {-1, 1}}};
}

OrderedJson sample_json(const MixtureToWrite& mixture) {
  const bool is_point = mixture.kind == data::SampleKind::kPoint;
  const bool is_pair = mixture.model.n_condition_channels > 0;
  return {{"kind", is_point  ? "point"
                   : is_pair ? "pair"
                             : "image"},
          {"shape", sample_dimensions(mixture)},
          {"range", is_point ? OrderedJson(nullptr) : OrderedJson{-1, 1}}};
}

OrderedJson generators_json(const MixtureToWrite& mixture) {
  const grid::Torus torus = setup::torus_of(mixture.experiment);
  OrderedJson generators = OrderedJson::array();
  for (const auto& member : mixture.members) {
    generators.push_back({{"file", file_of(member)},
                          {"row", torus.row(member.cell)},
                          {"col", torus.column(member.cell)},
                          {"weight", member.weight}});
  }
  return generators;
}

OrderedJson origin_json(const MixtureToWrite& mixture) {
  const grid::Torus torus = setup::torus_of(mixture.experiment);
  OrderedJson origin{{"generation", mixture.generation},
                     {"row", torus.row(mixture.cell)},
                     {"col", torus.column(mixture.cell)}};
  if (mixture.score) origin["score"] = *mixture.score;
  return origin;
}

std::string description(const MixtureToWrite& mixture) {
  const config::Experiment& experiment = mixture.experiment;
  const nn::GanSpec& model = mixture.model;
  const OrderedJson json{
      {"format", "lipizz mixture 1"},
      {"model", OrderedJson::parse(config::model_text(experiment.model))},
      {"dataset", experiment.data.dataset},
      {"origin", origin_json(mixture)},
      {"noise", noise_json(model)},
      {"condition", condition_json(model)},
      {"classes", model.n_classes()},
      {"sample", sample_json(mixture)},
      {"generators", generators_json(mixture)},
      {"examples",
       {{"file", kExamples},
        {"n", mixture.examples.n},
        {"tolerance", tolerance_of(experiment.compute)}}},
      {"reader", "read_mixture.py"},
      {"network", OrderedJson::parse(checkpoint::network_description(model.generator))}};
  return json.dump(2) + "\n";
}

template <class T>
TensorView tensor(std::string name, DType type, std::vector<std::uint64_t> shape,
                  const std::vector<T>& values) {
  return {std::move(name), type, std::move(shape), std::as_bytes(std::span(values))};
}

void write_examples(const std::filesystem::path& path, const MixtureToWrite& mixture) {
  const coev::MixtureExamples& examples = mixture.examples;
  const auto of_rows = [&](std::vector<std::uint64_t> dimensions) {
    dimensions.insert(dimensions.begin(), examples.n);
    return dimensions;
  };
  const nn::Shape& inputs = mixture.model.generator.inputs;
  std::vector<TensorView> tensors{
      tensor("inputs", DType::kF32, of_rows({inputs.begin(), inputs.end()}), examples.inputs)};
  const std::vector<std::int64_t> labels(examples.labels.begin(), examples.labels.end());
  if (!labels.empty()) tensors.push_back(tensor("labels", DType::kI64, of_rows({}), labels));
  for (std::size_t i = 0; i < mixture.members.size(); ++i) {
    tensors.push_back(tensor(file_of(mixture.members[i]), DType::kF32,
                             of_rows(sample_dimensions(mixture)), examples.samples[i]));
  }
  checkpoint::write_tensors(path, tensors, {});
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace

void write_mixture(const std::filesystem::path& folder, const MixtureToWrite& mixture) {
  for (const auto& member : mixture.members) {
    checkpoint::write_weights(folder / file_of(member), mixture.model.generator, member.parameters,
                              {{"cell", std::to_string(member.cell.value)}});
  }
  write_examples(folder / kExamples, mixture);
  write_text(folder / "mixture.json", description(mixture));
  write_text(folder / "read_mixture.py", kMixtureReader);
}

}  // namespace lipizz::worker
