#include "app/ensemble_command.hpp"

#include <fmt/format.h>

#include <array>
#include <ostream>
#include <string>

#include "app/dataset_scorer.hpp"
#include "app/ensemble_folder.hpp"
#include "app/ensemble_pool.hpp"
#include "app/ensemble_request.hpp"
#include "app/ensemble_search.hpp"
#include "app/new_folder.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/text_table.hpp"

namespace lipizz::app {
namespace {

constexpr std::size_t kWidth = 100;

std::string pool_text(const EnsemblePool& pool, const metrics::Scorer& scorer,
                      const EnsembleRequest& request) {
  return fmt::format(
      "{} of {}, scored by {} on {}\n\n", counted(pool.members().size(), "generator"),
      counted(pool.runs().size(), "run"), scorer.metric(), counted(request.n_samples, "sample"));
}

std::string members_text(const EnsemblePool& pool, const Ensemble& ensemble) {
  std::array<report::TextColumn, 4> columns{
      {{"run", {}}, {"cell", {}}, {"score alone", {}, true}, {"weight", {}, true}}};
  for (std::size_t i = 0; i < pool.members().size(); ++i) {
    if (ensemble.weights[i] == 0) continue;
    const EnsemblePool::Member& member = pool.members()[i];
    const auto& generator = pool.about(member);
    columns[0].cells.push_back(pool.name(member.run));
    columns[1].cells.push_back(fmt::format("{},{}", generator.row, generator.column));
    columns[2].cells.push_back(fmt::format("{:.6g}", ensemble.alone[i]));
    columns[3].cells.push_back(fmt::format("{:.4f}", ensemble.weights[i]));
  }
  return report::text_table(columns, kWidth);
}

std::string scores_text(const EnsemblePool& pool, const Ensemble& ensemble) {
  const std::size_t best = ensemble.best_run();
  const std::array<report::TextColumn, 2> columns{
      {{"on fresh samples",
        {fmt::format("ensemble of {}", ensemble.n_members()),
         fmt::format("mixture of {}, the best run's", pool.name(best))}},
       {"score",
        {fmt::format("{:.6g}", ensemble.score), fmt::format("{:.6g}", ensemble.runs[best])},
        true}}};
  return report::text_table(columns, kWidth);
}

}  // namespace

int ensemble_command(const CommandLine& line, std::ostream& out) {
  const EnsembleRequest request = ensemble_request(line);
  expect_nothing_at(line.command->words, request.output);
  EnsemblePool pool(line, request.is_best);
  RunMixture& first = pool.first();
  const auto scorer =
      open_scorer(first.experiment().score.metric, first.dataset(), first.run(), first.device());
  const Ensemble ensemble = find_ensemble(pool, *scorer, request);
  NewFolder folder(line.command->words, request.output);
  write_ensemble(folder.path(), pool, ensemble, *scorer, request);
  folder.put_in_place();
  out << pool_text(pool, *scorer, request) << members_text(pool, ensemble) << "\n"
      << scores_text(pool, ensemble) << "\nwritten to " << request.output.string() << "/\n";
  if (!(out << std::flush)) throw ConfigError("cannot write to the standard output");
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace lipizz::app
