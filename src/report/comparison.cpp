#include "report/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::report {
namespace {

constexpr std::array<std::string_view, 6> kShownAnyway{"name",     "grid.rows", "grid.columns",
                                                       "numerics", "data.dir",  "data.path"};

// How a run's scores were taken, in words.
std::string judge_of(const FinishedRun& run) {
  return run.score.metric + ", judge " + run.score.judge;
}

void expect_one_judge(const std::vector<ComparedRun>& runs) {
  std::map<std::string, std::vector<std::string>> by_judge;
  for (const ComparedRun& run : runs) {
    if (run.result) by_judge[judge_of(*run.result)].push_back(run.folder.string());
  }
  if (by_judge.size() < 2) return;
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> found;
  for (auto& [judge, folders] : by_judge) {
    const std::size_t n = folders.size();
    folders.resize(std::min(n, kNamed));
    found.push_back(judge + " (" + join(folders) +
                    (n > kNamed ? " and " + std::to_string(n - kNamed) + " more)" : ")"));
  }
  throw ConfigError("expected runs whose scores were taken by one judge, found " +
                    std::to_string(found.size()) + ": " + join(found, "; ") +
                    "; such scores say nothing about each other: compare each group by itself");
}

bool comes_before(const ComparedRun& a, const ComparedRun& b) {
  const auto key = [](const ComparedRun& run) {
    const double score = run.result ? run.result->score.value : 0;
    return std::tuple(!run.result, std::isnan(score), std::isnan(score) ? 0 : score,
                      std::cref(run.folder));
  };
  return key(a) < key(b);
}

// Equal for runs that repeat one another with other seeds.
std::string repeated_experiment(const config::Experiment& experiment) {
  config::Experiment copy = experiment;
  std::string text;
  for (const config::Field& field : config::fields(copy)) {
    // How long a run is may change, but its score is another one then.
    if (field.path == "seed" || (field.may_change && field.path != "generations")) continue;
    text += config::value_text(field) + "\n";
  }
  return text;
}

std::vector<Comparison::Group> groups_of(const Comparison& comparison) {
  std::map<std::string, std::vector<std::size_t>> alike;
  std::set<std::tuple<std::string, std::uint64_t, std::string>> known;
  for (std::size_t i = 0; i < comparison.n_finished; ++i) {
    const ComparedRun& run = comparison.runs[i];
    const std::string experiment = repeated_experiment(run.experiment);
    const bool is_new =
        known.emplace(experiment, run.experiment.seed, run.result->fingerprint).second;
    if (is_new) alike[experiment].push_back(i);
  }
  std::vector<Comparison::Group> groups;
  for (auto& [experiment, places] : alike) {
    if (places.size() < 2) continue;
    std::vector<double> scores;
    for (const std::size_t i : places) scores.push_back(comparison.runs[i].result->score.value);
    groups.push_back({std::move(places), summarize(scores)});
  }
  const auto key = [](const Comparison::Group& group) {
    const double mean = group.scores.mean;
    return std::tuple(std::isnan(mean), std::isnan(mean) ? 0 : mean, group.runs.front());
  };
  std::ranges::sort(groups, {}, key);
  return groups;
}

std::vector<SettingDifference> differences_of(const std::vector<ComparedRun>& runs) {
  std::vector<config::Experiment> experiments;
  for (const ComparedRun& run : runs) experiments.push_back(run.experiment);
  std::vector<SettingDifference> differences = setting_differences(experiments);
  std::erase_if(differences, [](const SettingDifference& difference) {
    return std::ranges::find(kShownAnyway, difference.path) != kShownAnyway.end();
  });
  return differences;
}

std::size_t place_of(const std::filesystem::path& folder, const std::vector<ComparedRun>& runs) {
  const auto found = std::ranges::find_if(runs, [&](const ComparedRun& run) {
    std::error_code none;
    return run.folder == folder || std::filesystem::equivalent(run.folder, folder, none);
  });
  if (found == runs.end()) throw ConfigError("expected a run at " + folder.string());
  if (!found->result) {
    throw ConfigError("--against: expected a run that has finished, found one at generation " +
                      std::to_string(found->reached) + " of " +
                      std::to_string(found->experiment.generations) + " in " + folder.string());
  }
  return static_cast<std::size_t>(found - runs.begin());
}

}  // namespace

Comparison compare(std::vector<ComparedRun> runs,
                   const std::optional<std::filesystem::path>& against) {
  expect_one_judge(runs);
  Comparison comparison;
  comparison.runs = std::move(runs);
  std::ranges::sort(comparison.runs, comes_before);
  comparison.n_finished = static_cast<std::size_t>(std::ranges::count_if(
      comparison.runs, [](const ComparedRun& run) { return run.result.has_value(); }));
  comparison.differences = differences_of(comparison.runs);
  comparison.groups = groups_of(comparison);
  if (against) comparison.against = place_of(*against, comparison.runs);
  return comparison;
}

std::vector<SettingDifference> group_differences(const Comparison& comparison) {
  std::vector<SettingDifference> differences;
  for (const SettingDifference& difference : comparison.differences) {
    std::vector<std::string> values;
    for (const Comparison::Group& group : comparison.groups) {
      values.push_back(difference.values[group.runs.front()]);
    }
    const std::set<std::string> different(values.begin(), values.end());
    if (difference.path != "seed" && different.size() > 1) {
      differences.push_back({difference.path, std::move(values)});
    }
  }
  return differences;
}

std::vector<std::size_t> equals_of_reference(const Comparison& comparison) {
  std::vector<std::size_t> equals;
  if (!comparison.against) return equals;
  const std::string& fingerprint = comparison.runs[*comparison.against].result->fingerprint;
  for (std::size_t i = 0; i < comparison.n_finished; ++i) {
    const bool is_equal = comparison.runs[i].result->fingerprint == fingerprint;
    if (is_equal && i != *comparison.against) equals.push_back(i);
  }
  return equals;
}

}  // namespace lipizz::report
