#include "app/registries.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "app/experiment_file.hpp"
#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "nn/base/activation.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/initialiser.hpp"
#include "nn/network/layer_fields.hpp"
#include "nn/network/layers.hpp"

namespace lipizz::app {
namespace {

using setup::entries_of;
using setup::Entry;
using setup::Registry;

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
    entries.push_back({.name = std::string(field.name) + " = " + nn::expected(field),
                       .summary = std::string(field.summary)});
  }
  return entries;
}

std::vector<Entry> settings() {
  config::Experiment defaults;
  std::vector<Entry> entries;
  for (const config::Field& field : config::fields(defaults)) {
    entries.push_back({.name = field.path + " = " + config::value_text(field),
                       .summary = std::string(field.summary)});
  }
  return entries;
}

std::vector<Entry> experiments() {
  std::vector<Entry> entries;
  for (const std::filesystem::path& file : experiment_files()) {
    config::Experiment experiment;
    config::apply_file(file, experiment);
    entries.push_back({.name = file.stem(), .summary = described(experiment)});
  }
  return entries;
}

// The registries that no setting names.
constexpr std::array kRegistries{
    Registry{.name = "activations",
             .summary = "what a layer ends with",
             .entries = [] { return entries_of(nn::activations()); }},
    Registry{.name = "configs",
             .summary = "experiments that come with the program, for --config",
             .entries = experiments},
    Registry{.name = "initialisers",
             .summary = "how weights begin",
             .entries = [] { return entries_of(nn::initialisers()); }},
    Registry{.name = "layer-fields",
             .summary = "what a layer that is written out can be told",
             .entries = layer_fields},
    Registry{.name = "layers", .summary = "what networks are made of", .entries = layers},
    Registry{.name = "operations",
             .summary = "what layers are made of",
             .entries = [] { return entries_of(nn::operations()); }},
    Registry{.name = "settings",
             .summary = "what a configuration can say, with defaults",
             .entries = settings},
};

}  // namespace

std::string described(const config::Experiment& experiment) {
  const config::Grid& grid = experiment.grid;
  return std::to_string(grid.rows) + "x" + std::to_string(grid.columns) +
         (grid.rows * grid.columns == 1 ? " cell for " : " cells for ") +
         counted(experiment.generations, "generation") + " on " + experiment.data.dataset;
}

std::vector<Registry> listed_registries() {
  const auto named = setup::registries();
  std::vector<Registry> all(named.begin(), named.end());
  all.insert(all.end(), kRegistries.begin(), kRegistries.end());
  std::ranges::sort(all, {}, &Registry::name);
  return all;
}

Registry find_listed(std::string_view name) {
  std::vector<std::string> names;
  for (const Registry& registry : listed_registries()) {
    if (registry.name == name) return registry;
    names.emplace_back(registry.name);
  }
  const std::string meant = suggestion(name, names);
  throw ConfigError("there is nothing to list called \"" + shortened(name) + "\"" +
                    (meant.empty() ? "; `lipizz list` has all" : meant));
}

}  // namespace lipizz::app
