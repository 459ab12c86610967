#include "setup/registries.hpp"

#include <algorithm>
#include <array>

#include "config/operators.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "grid/neighbourhood.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/penalty.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/network/models.hpp"
#include "setup/operators.hpp"

namespace lipizz::setup {
namespace {

std::vector<Entry> engines() {
  std::vector<Entry> entries{
      {.name = "reference", .summary = "Eigen; portable, slow, the reference of the others"}};
  if (nn::is_available(nn::Backend::kOneDnn)) {
    entries.push_back({.name = "onednn", .summary = "oneDNN on the CPU"});
  }
  return entries;
}

std::vector<Entry> devices() {
  return {
      {.name = "cpu", .summary = "the processor"},
      {.name = "check",
       .summary = "the first GPU of each node, each operation compared with the processor's"},
      {.name = "cuda",
       .summary = "NVIDIA GPUs, dealt out in turn to the workers of a node; cuda:1: the second"},
      {.name = "cuda+cpu",
       .summary = "one worker of a node for each of its GPUs, the others on its cores"}};
}

// An operator's parameters stand behind what it does.
std::vector<Entry> operators(std::string_view kind) {
  const config::OperatorTables tables = operator_tables();
  std::vector<Entry> entries;
  for (const OperatorDeclaration& row : tables.find(kind)->second) {
    std::string summary(row.summary);
    for (const Parameter& parameter : row.parameters) {
      summary += "; " + std::string(parameter.name) + " = " + number_text(parameter.initial) +
                 " (" + config::range_text(parameter) + "): " + std::string(parameter.summary);
    }
    entries.push_back({.name = std::string(row.name), .summary = summary});
  }
  return entries;
}

constexpr std::array kRegistries{
    Registry{.name = "datasets",
             .summary = "what can be learnt",
             .entries = [] { return entries_of(data::datasets()); }},
    Registry{.name = "devices", .summary = "where networks are computed", .entries = devices},
    Registry{.name = "engines", .summary = "what computes them", .entries = engines},
    Registry{.name = "fitness-aggregations",
             .summary = "how losses against all opponents become one number",
             .entries = [] { return operators("fitness-aggregations"); }},
    Registry{.name = "loss-mutations",
             .summary = "what generators come to minimise",
             .entries = [] { return operators("loss-mutations"); }},
    Registry{.name = "losses",
             .summary = "what a network minimises",
             .entries = [] { return entries_of(nn::losses()); }},
    Registry{.name = "metrics",
             .summary = "what mixtures are judged by",
             .entries = [] { return entries_of(metrics::metrics()); }},
    Registry{.name = "migrations",
             .summary = "what of a cell travels to its neighbours",
             .entries = [] { return operators("migrations"); }},
    Registry{.name = "mixture-weightings",
             .summary = "how the weights of mixtures are found",
             .entries = [] { return operators("mixture-weightings"); }},
    Registry{.name = "models",
             .summary = "pairs of networks",
             .entries = [] { return entries_of(nn::models()); }},
    Registry{.name = "neighbourhoods",
             .summary = "which cells are a cell's neighbours",
             .entries = [] { return entries_of(grid::neighbourhoods()); }},
    Registry{.name = "opponents",
             .summary = "whom a network is trained against",
             .entries = [] { return operators("opponents"); }},
    Registry{.name = "training-schedules",
             .summary = "how a network's training changes with time",
             .entries = [] { return operators("training-schedules"); }},
    Registry{.name = "optimizers",
             .summary = "how weights are updated",
             .entries = [] { return entries_of(nn::optimizers()); }},
    Registry{.name = "penalties",
             .summary = "what keeps a discriminator's slope in bounds",
             .entries = [] { return entries_of(nn::penalties()); }},
    Registry{.name = "rate-mutations",
             .summary = "how learning rates change",
             .entries = [] { return operators("rate-mutations"); }},
    Registry{.name = "recombinations",
             .summary = "which mean of the sub-population an offspring is made of",
             .entries = [] { return operators("recombinations"); }},
    Registry{.name = "replacements",
             .summary = "whether what was trained replaces the centre",
             .entries = [] { return operators("replacements"); }},
    Registry{.name = "selections",
             .summary = "which member of the sub-population is trained",
             .entries = [] { return operators("selections"); }},
};

}  // namespace

std::span<const Registry> registries() {
  return kRegistries;
}

const Registry& find_registry(std::string_view name) {
  const auto found = std::ranges::find(kRegistries, name, &Registry::name);
  if (found != kRegistries.end()) return *found;
  throw InternalError("no registry is called " + std::string(name));
}

}  // namespace lipizz::setup
