#include "sweep/plan.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "config/json.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "setup/engine.hpp"
#include "setup/resolve.hpp"
#include "sweep/limits.hpp"

namespace lipizz::sweep {
namespace {

std::size_t n_values(const AxisGroup& group) {
  return group.front().values.size();
}

// Beyond the limit it stays there.
std::size_t product(std::size_t a, std::size_t b) {
  return b > 0 && a > kMostRuns / b ? kMostRuns + 1 : a * b;
}

std::string end_of(const std::string& path, std::size_t n_parts) {
  const std::vector<std::string> parts = split(path, '.');
  const std::size_t first = parts.size() > n_parts ? parts.size() - n_parts : 0;
  return join(std::span(parts).subspan(first), ".");
}

// A run goes on though its files have moved, so its lineage leaves them out; but other files are
// another experiment. It is empty where none are named.
std::string files_text(const config::Experiment& resolved) {
  std::string text;
  if (!resolved.data.own.path.empty()) text += "data.path=" + resolved.data.own.path + "\n";
  if (!resolved.compute.convolution_table.empty()) {
    text += "convolution_table=" + to_hex(setup::convolutions_of(resolved).hash()) + "\n";
  }
  return text;
}

std::string id_of(const config::Experiment& resolved, const std::string& files) {
  Hasher hasher;
  hasher.value(config::lineage_hash(resolved));
  hasher.value(std::uint64_t{resolved.generations});
  hasher.value(std::uint64_t{resolved.stop.patience});
  hasher.text(files);
  return to_hex(hasher.digest());
}

// Every file system and shell takes it; a long label is cut, since the id tells runs apart.
std::string folder_of(const std::string& label, std::uint64_t seed, const std::string& id) {
  constexpr std::size_t kLongest = 100;
  std::string name;
  for (const char c : label.substr(0, kLongest)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
                          c == '-' || c == '+' || c == '_';
    if (is_plain) name += c;
    if (c == '=') name += '-';
    if (c == ' ') name += '_';
  }
  if (name.starts_with('.') || name.starts_with('-')) name.insert(0, 1, '_');
  return name + (name.empty() ? "seed-" : "_seed-") + std::to_string(seed) + "-" + id;
}

}  // namespace

std::vector<std::string> shortest_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const auto has_this_end = [&](std::size_t n_parts) {
      return std::ranges::count_if(paths, [&](const std::string& other) {
        return end_of(other, n_parts) == end_of(path, n_parts);
      });
    };
    std::size_t n_parts = 1;
    while (has_this_end(n_parts) > 1 && end_of(path, n_parts) != path) ++n_parts;
    names.push_back(end_of(path, n_parts));
  }
  return names;
}

Plan::Plan(SweepFile sweep) : sweep_(std::move(sweep)) {
  std::size_t n = 1;
  for (const AxisGroup& group : sweep_.axes) {
    for (const Axis& axis : group) settings_.push_back(axis.setting);
    n = product(n, n_values(group));
  }
  if (product(n, sweep_.seeds.size()) > kMostRuns) {
    throw ConfigError("the sweep " + sweep_.name + ": expected at most " +
                      std::to_string(kMostRuns) +
                      " runs, found more; take fewer values or seeds, or split it");
  }
  short_names_ = shortest_names(settings_);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> values;
    std::size_t rest = i;
    std::size_t n_behind = n;
    for (const AxisGroup& group : sweep_.axes) {
      n_behind /= n_values(group);
      for (const Axis& axis : group) values.push_back(axis.values[rest / n_behind]);
      rest %= n_behind;
    }
    add_combination(std::move(values));
  }
  leave_out_repeated();
}

void Plan::leave_out_repeated() {
  std::set<std::string> ids;
  std::vector<Combination> all = std::exchange(combinations_, {});
  std::vector<PlannedRun> runs = std::exchange(runs_, {});
  const std::vector<Generation> generations = std::exchange(generations_, {});
  const std::vector<bool> has_patience = std::exchange(has_patience_, {});
  const std::size_t n_seeds = sweep_.seeds.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!ids.insert(runs[i * n_seeds].id).second) continue;
    for (std::size_t k = 0; k < n_seeds; ++k) {
      runs_.push_back(std::move(runs[i * n_seeds + k]));
      runs_.back().combination = combinations_.size();
    }
    combinations_.push_back(std::move(all[i]));
    generations_.push_back(generations[i]);
    has_patience_.push_back(has_patience[i]);
  }
  n_repeated_ = all.size() - combinations_.size();
}

void Plan::add_combination(std::vector<std::string> values) {
  Combination combination{.values = std::move(values), .label = {}};
  combination.label = label_of(combination.values);
  config::Experiment resolved;
  std::string files;
  try {
    resolved = setup::resolved(experiment(combination, 0));
    files = files_text(resolved);
  } catch (const ConfigError& error) {
    if (combination.label.empty()) throw;
    throw ConfigError(combination.label + ": " + error.what());
  }
  for (const std::uint64_t seed : sweep_.seeds) {
    resolved.seed = seed;
    const std::string id = id_of(resolved, files);
    runs_.push_back({.combination = combinations_.size(),
                     .seed = seed,
                     .id = id,
                     .folder = folder_of(combination.label, seed, id)});
  }
  combinations_.push_back(std::move(combination));
  generations_.push_back(resolved.generations);
  has_patience_.push_back(resolved.stop.patience > 0);
}

std::string Plan::label_of(const std::vector<std::string>& values) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts.push_back(short_names_[i] + "=" + values[i]);
  }
  return join(parts, " ");
}

config::Experiment Plan::experiment(const Combination& combination, std::uint64_t seed) const {
  config::Experiment experiment = sweep_.base;
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    config::apply_value(settings_[i], combination.values[i], settings_[i], experiment);
  }
  experiment.seed = seed;
  return experiment;
}

config::Experiment Plan::experiment(const PlannedRun& run) const {
  return experiment(combinations_[run.combination], run.seed);
}

void Plan::check_each(const Check& check) const {
  for (const Combination& combination : combinations_) {
    try {
      check(experiment(combination, sweep_.seeds.front()));
    } catch (const ConfigError& error) {
      if (combination.label.empty()) throw;
      throw ConfigError(combination.label + ": " + error.what());
    }
  }
}

}  // namespace lipizz::sweep
