#include "sweep/sweep_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "sweep/axis_values.hpp"
#include "sweep/keys.hpp"
#include "sweep/limits.hpp"

namespace lipizz::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kLargestExact = 9007199254740991;

// They may change when a run is resumed, and yet each value makes another run: of another length,
// or of other files.
constexpr std::array<std::string_view, 4> kOthersOfResumedRuns{"generations", "stop.patience",
                                                               "data.path", "convolution_table"};

// A value and where it stands, for messages.
struct Node {
  const Json& json;
  std::string where;

  [[nodiscard]] bool has(const char* key) const { return json.contains(key); }
  [[nodiscard]] Node at(const char* key) const {
    return {json.at(key), where + (where.ends_with(':') ? " " : ".") + key};
  }
  [[nodiscard]] Node at(std::size_t i) const {
    return {json.at(i), where + "[" + std::to_string(i) + "]"};
  }
};

std::string shown(const Json& json) {
  return shortened(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

[[noreturn]] void fail(const Node& node, const std::string& expected) {
  throw ConfigError(node.where + (node.where.ends_with(':') ? "" : ":") + " expected " + expected +
                    ", found " + shown(node.json));
}

void expect(bool holds, const Node& node, const std::string& expected) {
  if (!holds) fail(node, expected);
}

// An object that has no other keys than the format knows.
void expect_object(const Node& node, std::string_view object) {
  const std::vector<std::string> known = names_of(object);
  expect(node.json.is_object(), node, "an object with " + join(known));
  for (const auto& [key, value] : node.json.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    throw ConfigError(node.where + (node.where.ends_with(':') ? "" : ":") + " there is no key \"" +
                      shortened(key) + "\"" + suggestion(key, known));
  }
}

double number(const Node& node, double lowest, double highest, const std::string& expected) {
  expect(node.json.is_number(), node, expected);
  const auto value = node.json.get<double>();
  expect(value >= lowest && value <= highest, node, expected);
  return value;
}

std::uint64_t whole(const Node& node, double lowest, double highest) {
  const std::string expected =
      "a whole number from " + number_text(lowest) + " to " + number_text(highest);
  expect(node.json.is_number_integer(), node, expected);
  return static_cast<std::uint64_t>(number(node, lowest, highest, expected));
}

bool truth(const Node& node) {
  expect(node.json.is_boolean(), node, "true or false");
  return node.json.get<bool>();
}

std::string text(const Node& node, const std::string& expected) {
  expect(node.json.is_string(), node, expected);
  return node.json.get<std::string>();
}

std::size_t size_of_list(const Node& node, std::size_t lowest, std::size_t highest) {
  const std::size_t n = node.json.is_array() ? node.json.size() : 0;
  expect(n >= lowest && n <= highest, node,
         "a list of " + std::to_string(lowest) + " to " + std::to_string(highest) + " entries");
  return n;
}

Interval interval_of(const Node& node) {
  constexpr double kAny = 1e300;
  Interval interval;
  for (const char* key : {"from", "to"}) {
    if (!node.has(key)) fail(node, "an object with \"from\" and \"to\"");
  }
  interval.from = number(node.at("from"), -kAny, kAny, "a number");
  interval.to = number(node.at("to"), interval.from, kAny, "a number above \"from\"");
  expect(interval.to > interval.from, node.at("to"), "a number above \"from\"");
  if (node.has("scale")) {
    const std::string scale = text(node.at("scale"), "\"linear\" or \"log\"");
    expect(scale == "linear" || scale == "log", node.at("scale"), "\"linear\" or \"log\"");
    if (scale == "log") interval.scale = Scale::kLogarithmic;
  }
  if (interval.scale == Scale::kLogarithmic) {
    expect(interval.from >= 1e-30 && interval.to <= 1e30, node,
           "numbers from 1e-30 to 1e30 on a logarithmic scale");
  }
  if (!node.has("whole")) return interval;
  interval.is_whole = truth(node.at("whole"));
  for (const char* key : {"from", "to"}) {
    const double end = node.json.at(key).get<double>();
    expect(!interval.is_whole || (std::trunc(end) == end && std::abs(end) <= kLargestExact),
           node.at(key), "a whole number, as \"whole\" says");
  }
  return interval;
}

// A value as --set takes it: a text as it is, anything else in JSON.
std::string value_text(const Json& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

std::vector<std::string> listed_values(const Node& node) {
  std::vector<std::string> values;
  const std::size_t n = size_of_list(node, 1, kMostValues);
  for (std::size_t i = 0; i < n; ++i) {
    expect(!node.json[i].is_null(), node.at(i), "a value");
    values.push_back(value_text(node.json[i]));
  }
  return values;
}

// A seed is said in another way, and a setting that no result depends on makes no other run.
void expect_sweepable(const Node& node, const std::string& setting, config::Experiment base) {
  if (setting == "seed") {
    throw ConfigError(node.where + ": seeds have a key of their own, \"seeds\" beside \"axes\"");
  }
  if (std::ranges::find(kOthersOfResumedRuns, setting) != kOthersOfResumedRuns.end()) return;
  for (const config::Field& field : config::fields(base)) {
    if (field.path != setting || !field.may_change) continue;
    throw ConfigError(node.where + ": no result depends on " + setting +
                      ", so its values would all be one run; set it in \"base\"");
  }
}

class Reader {
 public:
  Reader(const config::Experiment& base, std::uint64_t seed) : base_(base), seed_(seed) {}

  AxisGroup group(const Node& node) {
    expect_object(node, "axis");
    if (!node.has("zip")) return {axis(node)};
    expect(node.json.size() == 1, node, "\"zip\" and no other key");
    AxisGroup group;
    const Node list = node.at("zip");
    const std::size_t n = size_of_list(list, 2, kMostAxes);
    for (std::size_t i = 0; i < n; ++i) {
      expect_object(list.at(i), "axis");
      expect(!list.at(i).has("zip"), list.at(i), "an axis without a \"zip\" of its own");
      group.push_back(axis(list.at(i)));
      const std::size_t n_values = group.back().values.size();
      if (n_values == group.front().values.size()) continue;
      throw ConfigError(list.where + ": expected as many values of each axis, found " +
                        std::to_string(group.front().values.size()) + " of " +
                        group.front().setting + " and " + std::to_string(n_values) + " of " +
                        group.back().setting);
    }
    return group;
  }

 private:
  Axis axis(const Node& node) {
    if (!node.has("setting")) fail(node, "an axis with \"setting\", or with \"zip\"");
    Axis axis{.setting = text(node.at("setting"), "the path of a setting"), .values = {}};
    expect_sweepable(node.at("setting"), axis.setting, base_);
    if (!seen_.insert(axis.setting).second) {
      throw ConfigError(node.at("setting").where + ": " + axis.setting +
                        " has an axis already; give it one with all its values");
    }
    axis.values = values(node, axis.setting);
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      config::Experiment probe = base_;
      config::apply_value(axis.setting, axis.values[i],
                          node.where + " (" + shortened(axis.setting) + ")", probe);
    }
    return axis;
  }

  [[nodiscard]] std::vector<std::string> values(const Node& node,
                                                const std::string& setting) const {
    if (int{node.has("values")} + int{node.has("range")} + int{node.has("random")} != 1) {
      fail(node, "one of \"values\", \"range\" and \"random\"");
    }
    if (node.has("values")) return listed_values(node.at("values"));
    const bool is_range = node.has("range");
    const Node range = node.at(is_range ? "range" : "random");
    expect_object(range, is_range ? "range" : "random");
    const Interval interval = interval_of(range);
    const char* const count = is_range ? "points" : "draws";
    if (!range.has(count)) fail(range, std::string("an object with \"") + count + "\"");
    const std::size_t n = whole(range.at(count), is_range ? 2 : 1, kMostValues);
    return is_range ? spaced(interval, n) : drawn(interval, n, seed_, setting);
  }

  const config::Experiment& base_;
  std::uint64_t seed_;
  std::set<std::string> seen_;
};

config::Experiment base_of(const Node& root, const LoadSettings& load) {
  config::Experiment base;
  const auto apply = [&](const Node& node) {
    expect(node.json.is_object(), node, "an object of settings");
    config::apply_json(node.json.dump(), node.where, base);
  };
  if (root.has("base") && root.at("base").json.is_string()) {
    load(root.at("base").json.get<std::string>(), base);
  } else if (root.has("base")) {
    expect(root.at("base").json.is_object(), root.at("base"),
           "the path of a configuration file, or an object of settings");
    apply(root.at("base"));
  }
  if (root.has("settings")) apply(root.at("settings"));
  return base;
}

std::vector<std::uint64_t> seeds_of(const Node& root, std::uint64_t of_base) {
  if (!root.has("seeds")) return {of_base};
  const Node node = root.at("seeds");
  std::vector<std::uint64_t> seeds;
  if (node.json.is_number()) {
    const std::uint64_t n = whole(node, 1, kMostRuns);
    for (std::uint64_t seed = 1; seed <= n; ++seed) seeds.push_back(seed);
    return seeds;
  }
  expect(node.json.is_array(), node, "a whole number or a list of seeds");
  const std::size_t n = size_of_list(node, 1, kMostRuns);
  for (std::size_t i = 0; i < n; ++i) {
    seeds.push_back(whole(node.at(i), 0, kLargestExact));
    expect(std::ranges::count(seeds, seeds.back()) == 1, node.at(i),
           "a seed that is not there yet");
  }
  return seeds;
}

std::optional<StopEarly> stop_early_of(const Node& root, Generation generations) {
  if (!root.has("stop_early")) return std::nullopt;
  const Node node = root.at("stop_early");
  expect_object(node, "stop_early");
  if (!node.has("rungs")) fail(node, "an object with \"rungs\"");
  StopEarly stop;
  const Node rungs = node.at("rungs");
  const std::size_t n = size_of_list(rungs, 1, kMostRungs);
  for (std::size_t i = 0; i < n; ++i) {
    const double lowest = i == 0 ? 1 : stop.rungs.back() + 1.0;
    expect(lowest < generations, rungs.at(i),
           "rising generations below the " + std::to_string(generations) + " of the runs");
    stop.rungs.push_back(static_cast<Generation>(whole(rungs.at(i), lowest, generations - 1.0)));
  }
  if (!node.has("keep")) return stop;
  const std::string expected = "a number above 0 and below 1";
  stop.keep = number(node.at("keep"), 0, 1, expected);
  expect(stop.keep > 0 && stop.keep < 1, node.at("keep"), expected);
  return stop;
}

// Resuming must give the bits of a run that was never stopped.
void expect_resumable(const Node& root, const SweepFile& sweep) {
  if (!sweep.stop_early) return;
  const auto refuse = [&](const std::string& setting, const std::string& why) {
    throw ConfigError(root.at("stop_early").where + ": " + why + "; leave out stop_early or " +
                      setting);
  };
  const auto has_axis = [&](std::string_view setting) {
    return std::ranges::any_of(sweep.axes, [&](const AxisGroup& group) {
      return std::ranges::find(group, setting, &Axis::setting) != group.end();
    });
  };
  if (has_axis("generations")) {
    refuse("the axis generations", "runs of different lengths have no common rungs");
  }
  if (has_axis("stop.patience") || sweep.base.stop.patience > 0) {
    refuse("stop.patience", "runs that end by patience do not come to the rungs");
  }
  if (has_axis("exchange") || config::is_asynchronous(sweep.base)) {
    refuse("exchange=async",
           "a run with an asynchronous exchange that is stopped and resumed is not the run that it "
           "would have been");
  }
}

bool is_plain(unsigned char c) {
  return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
}

// A file's name as the name of a folder.
std::string plain(std::string name) {
  for (char& c : name) {
    if (!is_plain(static_cast<unsigned char>(c))) c = '_';
  }
  return name.starts_with('.') ? "_" + name : name;
}

void expect_name(const Node& root, const std::string& name) {
  if (!name.empty() && name.size() <= 100 && name.front() != '.' &&
      std::ranges::all_of(name, is_plain)) {
    return;
  }
  fail(root.at("name"), "up to 100 letters, digits, `.`, `_` and `-`, the first not a `.`");
}

SweepFile sweep_of(const Json& json, const std::string& source, const LoadSettings& load) {
  const Node root{json, source + ":"};
  expect_object(root, "sweep");
  SweepFile sweep;
  if (root.has("name")) {
    sweep.name = text(root.at("name"), "a text");
    expect_name(root, sweep.name);
  }
  sweep.base = base_of(root, load);
  sweep.seeds = seeds_of(root, sweep.base.seed);
  const std::uint64_t seed =
      root.has("random_seed") ? whole(root.at("random_seed"), 0, kLargestExact) : 1;
  if (root.has("axes")) {
    const Node axes = root.at("axes");
    Reader reader(sweep.base, seed);
    const std::size_t n = size_of_list(axes, 0, kMostAxes);
    for (std::size_t i = 0; i < n; ++i) sweep.axes.push_back(reader.group(axes.at(i)));
  }
  sweep.stop_early = stop_early_of(root, sweep.base.generations);
  expect_resumable(root, sweep);
  return sweep;
}

}  // namespace

SweepFile parse_sweep(std::string_view text, const std::string& source, const LoadSettings& load) {
  config::check_json(text, source);
  return sweep_of(Json::parse(text), source, load);
}

SweepFile read_sweep(const fs::path& file) {
  const std::string text = read_text_file(file, "sweep", kMostFileBytes);
  SweepFile sweep = parse_sweep(text, file.string(), [&](const fs::path& base, auto& experiment) {
    config::apply_file(base.is_absolute() ? base : file.parent_path() / base, experiment);
  });
  if (sweep.name.empty()) sweep.name = plain(file.stem().string());
  return sweep;
}

}  // namespace lipizz::sweep
