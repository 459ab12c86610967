#include "app/ensemble_folder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/run_argument.hpp"
#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "report/run_folders.hpp"
#include "worker/mixture_folder.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The places of the members in the pool.
std::vector<std::size_t> members_of(const Ensemble& ensemble) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < ensemble.weights.size(); ++i) {
    if (ensemble.weights[i] > 0) members.push_back(i);
  }
  return members;
}

// The configuration of a run whose row of cells had these generators.
config::Experiment experiment_of(const EnsemblePool& pool, std::size_t n_members) {
  config::Experiment experiment = experiment_of_run(pool.first().run());
  experiment.grid.rows = 1;
  experiment.grid.columns = static_cast<std::uint32_t>(n_members);
  return experiment;
}

void write_mixture_of(const fs::path& folder, EnsemblePool& pool, const Ensemble& ensemble) {
  const std::vector<std::size_t> members = members_of(ensemble);
  const worker::SavedMixture& first = pool.first().mixture();
  config::Experiment experiment = pool.first().experiment();
  experiment.grid = experiment_of(pool, members.size()).grid;
  std::vector<coev::Island::MixtureMember> written;
  coev::MixtureExamples examples = first.examples;
  examples.samples.clear();
  for (const std::size_t i : members) {
    const EnsemblePool::Member& member = pool.members()[i];
    written.push_back({{static_cast<std::uint32_t>(written.size())},
                       ensemble.weights[i],
                       pool.parameters(member)});
    examples.samples.push_back(pool.samples_of_examples(member));
  }
  worker::write_mixture(folder, {.experiment = experiment,
                                 .model = first.about.model,
                                 .kind = first.about.kind,
                                 .shape = first.about.shape,
                                 .members = written,
                                 .examples = examples,
                                 .cell = {},
                                 .generation = first.about.generation,
                                 .score = ensemble.score});
}

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json members_json(const EnsemblePool& pool, const Ensemble& ensemble) {
  Json members = Json::array();
  std::size_t n_written = 0;
  for (std::size_t i = 0; i < pool.members().size(); ++i) {
    const EnsemblePool::Member& member = pool.members()[i];
    const bool is_left_out = ensemble.weights[i] == 0;
    members.push_back(
        {{"run", pool.name(member.run)},
         {"generation", pool.runs()[member.run]->about().generation},
         {"row", pool.about(member).row},
         {"col", pool.about(member).column},
         {"score", number_json(ensemble.alone[i])},
         {"weight", ensemble.weights[i]},
         {"file", is_left_out ? Json() : Json(fmt::format("cell-{}.safetensors", n_written))}});
    if (!is_left_out) ++n_written;
  }
  return members;
}

Json runs_json(const EnsemblePool& pool, const Ensemble& ensemble) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < ensemble.runs.size(); ++i) {
    runs.push_back({{"run", pool.name(i)}, {"score", number_json(ensemble.runs[i])}});
  }
  return runs;
}

std::string description(const EnsemblePool& pool, const Ensemble& ensemble,
                        const metrics::Scorer& scorer, const EnsembleRequest& request) {
  Json weighting{{"kind", request.weighting_text.kind}};
  for (const auto& [name, value] : request.weighting_text.parameters) {
    weighting[name] = Json::parse(number_text(value));
  }
  const Json json{{"format", "lipizz ensemble 1"},
                  {"weighting", weighting},
                  {"number", request.n_samples},
                  {"seed", request.seed},
                  {"metric", scorer.metric()},
                  {"judge", to_hex(scorer.judge_hash())},
                  {"score", ensemble.score},
                  {"runs", runs_json(pool, ensemble)},
                  {"members", members_json(pool, ensemble)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_ensemble(const fs::path& folder, EnsemblePool& pool, const Ensemble& ensemble,
                    const metrics::Scorer& scorer, const EnsembleRequest& request) {
  make_folder(folder / "mixture");
  write_mixture_of(folder / "mixture", pool, ensemble);
  write_atomically(folder / report::kEnsembleFile, description(pool, ensemble, scorer, request));
  write_atomically(folder / "config.json",
                   config::to_json(experiment_of(pool, ensemble.n_members())));
}

}  // namespace lipizz::app
