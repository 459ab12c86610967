#include "report/run_event.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "checkpoint/checked_line.hpp"
#include "core/text.hpp"

namespace lipizz::report {
namespace {

using Json = nlohmann::json;
using Kind = RunEvent::Kind;

constexpr std::array kNames{
    std::pair{Kind::kBegun, "begun"},       std::pair{Kind::kTraining, "training"},
    std::pair{Kind::kScoring, "scoring"},   std::pair{Kind::kGeneration, "generation"},
    std::pair{Kind::kLate, "late"},         std::pair{Kind::kBack, "back"},
    std::pair{Kind::kLost, "lost"},         std::pair{Kind::kReturned, "returned"},
    std::pair{Kind::kAssigned, "assigned"}, std::pair{Kind::kSaved, "saved"},
    std::pair{Kind::kStopped, "stopped"},   std::pair{Kind::kFailed, "failed"},
    std::pair{Kind::kFinished, "finished"}, std::pair{Kind::kMoved, "moved"},
};

// Where it is not 1; runs of before it was there do not tell it.
constexpr const char* kRanksPerCell = "ranks_per_cell";

// Calls `field` with name and member of each field that the kind has. For reading and writing.
template <class Event, class Field>
void visit_fields(Event& event, Field field) {
  switch (event.kind) {
    case Kind::kBegun:
      field("generation", event.generation);
      field("generations", event.generations);
      field("rows", event.torus.rows);
      field("columns", event.torus.columns);
      return field("hosts", event.ranks.hosts);
    case Kind::kScoring:
      field("metric", event.metric);
      field("judge", event.judge);
      return field("floor", event.floor);
    case Kind::kGeneration:
      field("generation", event.generation);
      field("cell", event.cell.value);
      return field("score", event.score);
    case Kind::kLate:
      field("rank", event.rank.value);
      return field("silent_s", event.silent_s);
    case Kind::kBack:
    case Kind::kLost:
    case Kind::kReturned:
      return field("rank", event.rank.value);
    case Kind::kAssigned:
      field("generation", event.generation);
      return field("rank_of_cell", event.rank_of_cell);
    case Kind::kSaved:
      return field("generation", event.generation);
    case Kind::kMoved:
      field("generation", event.generation);
      return field("text", event.text);
    case Kind::kStopped:
    case Kind::kFailed:
      return field("text", event.text);
    case Kind::kTraining:
    case Kind::kFinished:
      return;
  }
}

template <class T>
Json json_of(const T& value) {
  return value;
}
Json json_of(const std::vector<Rank>& ranks) {
  Json json = Json::array();
  for (const Rank rank : ranks) json.push_back(rank.value);
  return json;
}

// These throw nlohmann's exceptions where the JSON is not what it should be.

void read(const Json& json, double& value) {
  value = json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}
void read(const Json& json, std::uint32_t& value) {
  const auto number = json.get<std::uint64_t>();
  if (!json.is_number_unsigned() || number > std::numeric_limits<std::uint32_t>::max()) {
    throw Json::other_error::create(500, "no such number", nullptr);
  }
  value = static_cast<std::uint32_t>(number);
}
void read(const Json& json, std::int32_t& rank) {
  std::uint32_t value = 0;
  read(json, value);
  if (value > std::numeric_limits<std::int32_t>::max()) {
    throw Json::other_error::create(500, "no such rank", nullptr);
  }
  rank = static_cast<std::int32_t>(value);
}
void read(const Json& json, std::string& text) {
  text = printable(json.get<std::string>());
}
void read(const Json& json, std::vector<std::string>& texts) {
  texts = json.get<std::vector<std::string>>();
  for (std::string& text : texts) text = printable(std::move(text));
}
void read(const Json& json, std::vector<Rank>& ranks) {
  ranks.resize(json.get_ref<const Json::array_t&>().size());
  std::ranges::transform(json, ranks.begin(), [](const Json& value) {
    Rank rank;
    read(value, rank.value);
    return rank;
  });
}

std::optional<Kind> kind_named(const std::string& name) {
  const auto* const found =
      std::ranges::find_if(kNames, [&](const auto& known) { return name == known.second; });
  return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

bool is_about(const RunEvent& event, const grid::Torus& torus) {
  if (event.kind == Kind::kBegun) return event.torus == torus;
  if (event.kind == Kind::kAssigned) return event.rank_of_cell.size() == torus.cells();
  return event.cell.value < torus.cells();
}

}  // namespace

const char* name_of(Kind kind) {
  return std::ranges::find(kNames, kind, [](const auto& known) { return known.first; })->second;
}

std::string to_line(const RunEvent& event) {
  nlohmann::ordered_json json;
  json["at_s"] = event.at_s;
  json["event"] = name_of(event.kind);
  visit_fields(event, [&](const char* name, const auto& value) { json[name] = json_of(value); });
  if (event.ranks.per_cell != 1) json[kRanksPerCell] = event.ranks.per_cell;
  constexpr auto kReplaceBadUtf8 = nlohmann::ordered_json::error_handler_t::replace;
  return checkpoint::checked_line(json.dump(-1, ' ', false, kReplaceBadUtf8));
}

std::optional<RunEvent> parse_run_event(std::string_view line, const grid::Torus& torus) {
  if (!checkpoint::is_whole(line)) return std::nullopt;
  try {
    const Json json = Json::parse(line);
    const auto kind = kind_named(json.at("event").get<std::string>());
    if (!kind) return std::nullopt;
    RunEvent event{.kind = *kind, .at_s = json.at("at_s").get<double>()};
    visit_fields(event, [&](const char* name, auto& value) { read(json.at(name), value); });
    if (json.contains(kRanksPerCell)) read(json.at(kRanksPerCell), event.ranks.per_cell);
    return event.ranks.per_cell > 0 && is_about(event, torus) ? std::optional(event) : std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace lipizz::report
