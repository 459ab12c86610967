#include "app/registries.hpp"

#include <algorithm>
#include <array>

#include "app/model_tables.hpp"
#include "config/fields.hpp"
#include "config/json.hpp"
#include "config/model.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "grid/neighbourhood.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/activation.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/penalty.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/initialiser.hpp"
#include "nn/network/layer_fields.hpp"
#include "nn/network/layers.hpp"
#include "nn/network/models.hpp"
#include "worker/memory.hpp"
#include "worker/model.hpp"
#include "worker/translate.hpp"

namespace lipizz::app {
namespace {

template <class Row>
Entry entry_of(const Row& row) {
  return {std::string(row.name), std::string(row.summary)};
}
template <class Row>
Entry entry_of(const Row* row) {
  return entry_of(*row);
}

template <class Table>
std::vector<Entry> entries_of(const Table& table) {
  std::vector<Entry> entries;
  for (const auto& row : table) entries.push_back(entry_of(row));
  return entries;
}

std::vector<Entry> layers() {
  std::vector<Entry> entries = entries_of(nn::layers());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& reads = nn::layers()[i]->reads;
    if (reads.empty()) continue;
    entries[i].summary += "; reads " + join(std::vector<std::string>(reads.begin(), reads.end()));
  }
  return entries;
}

std::vector<Entry> layer_fields() {
  std::vector<Entry> entries;
  for (const nn::LayerField& field : nn::layer_fields()) {
    entries.push_back(
        {std::string(field.name) + " = " + nn::expected(field), std::string(field.summary)});
  }
  return entries;
}

std::vector<Entry> engines() {
  std::vector<Entry> entries{{"reference", "Eigen; portable, slow, the judge of the others"}};
  if (nn::is_available(nn::Backend::kOneDnn)) entries.push_back({"onednn", "oneDNN on the CPU"});
  return entries;
}

std::vector<Entry> devices() {
  return {{"cpu", "the processor"},
          {"check", "the first GPU of each node, each operation compared with the processor's"},
          {"cuda", "NVIDIA GPUs, dealt out in turn to the workers of a node; cuda:1: the second"},
          {"cuda+cpu", "one worker of a node for each of its GPUs, the others on its cores"}};
}

std::vector<Entry> settings() {
  config::Experiment defaults;
  std::vector<Entry> entries;
  for (const config::Field& field : config::fields(defaults)) {
    entries.push_back({field.path + " = " + config::value_text(field), std::string(field.summary)});
  }
  return entries;
}

// Each number may be in range and all together beyond every machine.
void check_step(const config::Experiment& experiment) {
  constexpr std::size_t kMostBytes = 1'000'000'000'000;
  std::size_t n_bytes = 0;
  try {
    n_bytes = worker::training_bytes(worker::settings_of(experiment), nn::Engine{});
  } catch (const InternalError& error) {
    throw ConfigError(std::string("model: no training step can be made: ") + error.what());
  }
  if (n_bytes <= kMostBytes) return;
  throw ConfigError("data.batch_size: a training step with " +
                    std::to_string(experiment.data.batch_size) + " samples takes " +
                    std::to_string(n_bytes / 1'000'000'000) +
                    " GB with this model; choose a smaller batch or another model");
}

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::string describe(const nn::GanSpec& model) {
  std::string text = std::to_string(model.sample()) + " values per sample";
  if (model.n_condition_channels == 0) return text;
  return text + ", " + std::to_string(model.n_condition_channels) + " of its channels given";
}

constexpr std::array kKinds{
    Kind{"activations", "what a layer ends with", [] { return entries_of(nn::activations()); }},
    Kind{"datasets", "what can be learnt", [] { return entries_of(data::datasets()); }},
    Kind{"devices", "where networks are computed", devices},
    Kind{"engines", "what computes them", engines},
    Kind{"initialisers", "how weights begin", [] { return entries_of(nn::initialisers()); }},
    Kind{"layer-fields", "what a layer that is written out can be told", layer_fields},
    Kind{"layers", "what networks are made of", layers},
    Kind{"losses", "what a network minimises", [] { return entries_of(nn::losses()); }},
    Kind{"metrics", "what mixtures are judged by", [] { return entries_of(metrics::metrics()); }},
    Kind{"models", "pairs of networks", [] { return entries_of(nn::models()); }, model_tables},
    Kind{"neighbourhoods", "whom a cell trains against",
         [] { return entries_of(grid::neighbourhoods()); }},
    Kind{"operations", "what layers are made of", [] { return entries_of(nn::operations()); }},
    Kind{"optimizers", "how weights are updated", [] { return entries_of(nn::optimizers()); }},
    Kind{"penalties", "what keeps a discriminator's slope in bounds",
         [] { return entries_of(nn::penalties()); }},
    Kind{"settings", "what a configuration can say, with defaults", settings},
};

}  // namespace

std::span<const Kind> kinds() {
  return kKinds;
}

const Kind& find_kind(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, &Kind::name);
  if (found != kKinds.end()) return *found;
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  throw ConfigError("there is nothing to list called \"" + std::string(name) + "\"" +
                    suggestion(name, names));
}

config::Names registered_names() {
  config::Names names;
  for (const Kind& kind : kKinds) names.emplace(kind.name, names_of(kind.entries()));
  return names;
}

void check(const config::Experiment& experiment) {
  config::check(experiment, registered_names());
  const data::DatasetEntry& dataset = data::find_dataset(experiment.data.dataset);
  metrics::find_metric(experiment.score.metric, dataset.kind, dataset.n_classes);
  if (experiment.class_conditional && dataset.n_classes == 0) {
    throw ConfigError("class_conditional: " + experiment.data.dataset + " has no classes");
  }
  if (!experiment.augmentation.empty() && dataset.kind != data::SampleKind::kImage) {
    throw ConfigError("augmentation: " + experiment.data.dataset + " has no images");
  }
  const std::string fitting(dataset.model);
  config::Experiment meant = experiment;
  if (meant.model.name == "auto") meant.model.name = fitting;
  const nn::GanSpec wanted = nn::make_model(fitting);
  const nn::GanSpec made = worker::model_of(meant);
  if (made.sample() == wanted.sample() &&
      made.n_condition_channels == wanted.n_condition_channels) {
    return check_step(meant);
  }
  throw ConfigError("model: expected one with " + describe(wanted) + ", as " +
                    experiment.data.dataset + " has, found " +
                    shortened(config::model_text(meant.model)) + " with " + describe(made) +
                    "; use \"" + fitting + "\"");
}

}  // namespace lipizz::app
