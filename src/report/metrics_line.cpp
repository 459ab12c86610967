#include "report/metrics_line.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "checkpoint/checked_line.hpp"
#include "core/text.hpp"

namespace lipizz::report {
namespace {

using Json = nlohmann::json;

// All of these throw nlohmann's exceptions where the line is not as it should be.

double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<Named> named(const Json& json) {
  std::vector<Named> figures;
  for (const auto& [name, value] : json.items()) figures.push_back({name, number(value)});
  return figures;
}

// A line about cells that are not there is no line of this run.
CellId cell_of(const Json& json, const grid::Torus& torus) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= torus.cells()) {
    throw Json::other_error::create(500, "no such cell", nullptr);
  }
  return {json.get<std::uint32_t>()};
}

MetricsLine::Network network_of(const Json& json, const grid::Torus& torus) {
  return {.loss = number(json.at("loss")),
          .rate = number(json.at("rate")),
          .objective = json.value("objective", ""),
          .origin = cell_of(json.at("origin"), torus),
          .is_replaced = json.at("replaced").get<bool>(),
          .is_copied = json.value("copied", false)};
}

std::vector<MetricsLine::Age> ages_of(const Json& json, const grid::Torus& torus) {
  std::vector<MetricsLine::Age> ages;
  for (const auto& [neighbour, generations] : json.items()) {
    const CellId cell = cell_of(Json::parse(neighbour), torus);
    ages.push_back({cell, generations.is_null() ? std::nullopt
                                                : std::optional(generations.get<std::int64_t>())});
  }
  return ages;
}

MetricsLine line_of(const Json& json, const grid::Torus& torus) {
  MetricsLine line;
  line.generation = json.at("generation").get<Generation>();
  line.cell = cell_of(json.at("cell"), torus);
  line.score = number(json.at("score"));
  line.generator = network_of(json.at("generator"), torus);
  line.discriminator = network_of(json.at("discriminator"), torus);
  line.seconds = named(json.at("seconds"));
  if (json.contains("details")) line.details = named(json["details"]);
  if (json.contains("class_shares")) {
    for (const Json& share : json["class_shares"]) line.class_shares.push_back(number(share));
  }
  for (const Json& member : json.at("mixture")) {
    line.mixture.push_back({cell_of(member.at(0), torus), number(member.at(1))});
  }
  if (json.contains("ages")) line.ages = ages_of(json["ages"], torus);
  return line;
}

}  // namespace

std::optional<MetricsLine> parse_metrics_line(std::string_view line, const grid::Torus& torus) {
  if (!checkpoint::is_whole(line)) return std::nullopt;
  try {
    return line_of(Json::parse(line), torus);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace lipizz::report
