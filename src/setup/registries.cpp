#include "setup/registries.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "data/dataset.hpp"
#include "grid/neighbourhood.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/penalty.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/network/models.hpp"

namespace lipizz::setup {
namespace {

std::vector<Entry> engines() {
  std::vector<Entry> entries{
      {.name = "reference", .summary = "Eigen; portable, slow, the judge of the others"}};
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

constexpr std::array kRegistries{
    Registry{.name = "datasets",
             .summary = "what can be learnt",
             .entries = [] { return entries_of(data::datasets()); }},
    Registry{.name = "devices", .summary = "where networks are computed", .entries = devices},
    Registry{.name = "engines", .summary = "what computes them", .entries = engines},
    Registry{.name = "losses",
             .summary = "what a network minimises",
             .entries = [] { return entries_of(nn::losses()); }},
    Registry{.name = "metrics",
             .summary = "what mixtures are judged by",
             .entries = [] { return entries_of(metrics::metrics()); }},
    Registry{.name = "models",
             .summary = "pairs of networks",
             .entries = [] { return entries_of(nn::models()); }},
    Registry{.name = "neighbourhoods",
             .summary = "whom a cell trains against",
             .entries = [] { return entries_of(grid::neighbourhoods()); }},
    Registry{.name = "optimizers",
             .summary = "how weights are updated",
             .entries = [] { return entries_of(nn::optimizers()); }},
    Registry{.name = "penalties",
             .summary = "what keeps a discriminator's slope in bounds",
             .entries = [] { return entries_of(nn::penalties()); }},
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
