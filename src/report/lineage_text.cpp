#include "report/lineage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/text.hpp"

namespace lipizz::report {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Row = std::array<std::string, 7>;

// In the order of Ancestor::Event.
constexpr std::array kEvents{"seeded", "trained", "kept", "copied"};

const char* to_string(NetworkRole role) {
  return role == NetworkRole::kGenerator ? "generator" : "discriminator";
}

std::string generation_and_cell(const grid::Torus& torus, const Place& place) {
  return fmt::format("{} at {}", cell_text(torus, place.cell), place.generation);
}

std::string figure(double number) {
  return std::isfinite(number) ? fmt::format("{:.4g}", number) : "-";
}

// A figure at the beginning, and at the end where it is another one.
std::string change(double oldest, double newest) {
  const std::string from = figure(oldest);
  const std::string to = figure(newest);
  return from == to ? to : from + " to " + to;
}

std::string generations_of(const Stay& stay) {
  return stay.first == stay.last ? fmt::format("{}", stay.last)
                                 : fmt::format("{} to {}", stay.first, stay.last);
}

std::string origin_of(const Stay& stay, const grid::Torus& torus) {
  if (stay.came_from) return generation_and_cell(torus, *stay.came_from);
  return stay.oldest.event == Ancestor::Event::kSeeded ? "its seed" : "unknown";
}

Row row_of(const Stay& stay, const grid::Torus& torus) {
  return {generations_of(stay),
          cell_text(torus, stay.cell),
          origin_of(stay, torus),
          std::to_string(stay.n_trained),
          change(stay.oldest.rate, stay.newest.rate),
          change(stay.first_loss, stay.newest.loss),
          join(stay.objectives)};
}

std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string summary(const Lineage& lineage, const std::vector<Stay>& stays, NetworkRole role,
                    const grid::Torus& torus) {
  const Ancestor& newest = lineage.ancestors.front();
  std::uint64_t n_trained = 0;
  std::set<CellId> cells;
  for (const Stay& stay : stays) {
    n_trained += stay.n_trained;
    cells.insert(stay.cell);
  }
  std::string text =
      fmt::format("the {} of cell {} at generation {}: trained in {}, in {}", to_string(role),
                  cell_text(torus, newest.place.cell), newest.place.generation,
                  counted(n_trained, "generation"), counted(cells.size(), "cell"));
  if (!lineage.missing) text += "; its seed is cell " + cell_text(torus, stays.back().cell);
  return text + "\n";
}

OrderedJson json_of(const Place& place, const grid::Torus& torus) {
  return {{"generation", place.generation},
          {"row", torus.row(place.cell)},
          {"col", torus.column(place.cell)}};
}

OrderedJson json_of(double number) {
  return std::isfinite(number) ? OrderedJson(number) : OrderedJson(nullptr);
}

OrderedJson json_of(const Ancestor& ancestor, const grid::Torus& torus) {
  const bool is_seeded = ancestor.event == Ancestor::Event::kSeeded;
  OrderedJson json = json_of(ancestor.place, torus);
  json["event"] = kEvents[static_cast<std::size_t>(ancestor.event)];
  json["parent"] = is_seeded ? OrderedJson(nullptr) : json_of(ancestor.parent, torus);
  json["rate"] = json_of(ancestor.rate);
  json["loss"] = json_of(ancestor.loss);
  json["objective"] =
      ancestor.objective.empty() ? OrderedJson(nullptr) : OrderedJson(ancestor.objective);
  return json;
}

OrderedJson json_of(const Lineage& lineage, const grid::Torus& torus) {
  OrderedJson array = OrderedJson::array();
  for (const Ancestor& ancestor : lineage.ancestors) array.push_back(json_of(ancestor, torus));
  return array;
}

std::optional<Place> common_ancestor_of(std::span<const MemberLineage> members) {
  std::vector<Lineage> lineages;
  for (const MemberLineage& member : members) lineages.push_back(member.lineage);
  return common_ancestor(lineages);
}

bool is_cut_short(std::span<const MemberLineage> members) {
  return std::ranges::any_of(
      members, [](const MemberLineage& member) { return member.lineage.missing.has_value(); });
}

std::string meeting_text(std::span<const MemberLineage> members, const grid::Torus& torus) {
  if (const auto common = common_ancestor_of(members)) {
    const Generation newest = members.front().lineage.ancestors.front().place.generation;
    return fmt::format("all descend from the generator of cell {} at generation {}, {} before\n",
                       cell_text(torus, common->cell), common->generation,
                       counted(newest - common->generation, "generation"));
  }
  return is_cut_short(members) ? "whether they have an ancestor in common is not known\n"
                               : "along these lines they have no ancestor in common\n";
}

}  // namespace

std::string cell_text(const grid::Torus& torus, CellId cell) {
  return fmt::format("{},{}", torus.row(cell), torus.column(cell));
}

std::string lineage_text(const Lineage& lineage, NetworkRole role, const grid::Torus& torus) {
  const std::vector<Stay> stays = stays_of(lineage);
  std::vector<Row> rows{
      {"generations", "cell", "came from", "trained", "rate", "loss", "objective"}};
  for (const Stay& stay : stays) rows.push_back(row_of(stay, torus));
  std::string text = summary(lineage, stays, role, torus) + table(rows);
  if (lineage.missing) {
    text += fmt::format("older ones are not known: the line of cell {} is missing or damaged\n",
                        generation_and_cell(torus, *lineage.missing));
  }
  return text;
}

std::string lineage_json(const Lineage& lineage, const grid::Torus& torus) {
  std::vector<std::string> lines;
  for (const Ancestor& ancestor : lineage.ancestors)
    lines.push_back(json_of(ancestor, torus).dump());
  return "[\n" + join(lines, ",\n") + "\n]\n";
}

std::string mixture_text(std::span<const MemberLineage> members, const grid::Torus& torus) {
  std::string text = members.size() == 1 ? std::string() : meeting_text(members, torus);
  for (const MemberLineage& member : members) {
    text += fmt::format("\nweight {:.4g}: ", member.weight) +
            lineage_text(member.lineage, NetworkRole::kGenerator, torus);
  }
  return text;
}

std::string mixture_json(std::span<const MemberLineage> members, const grid::Torus& torus) {
  OrderedJson json{{"members", OrderedJson::array()}, {"common_ancestor", nullptr}};
  for (const MemberLineage& member : members) {
    json["members"].push_back(
        {{"weight", json_of(member.weight)}, {"lineage", json_of(member.lineage, torus)}});
  }
  if (const auto common = common_ancestor_of(members)) {
    json["common_ancestor"] = json_of(*common, torus);
  }
  return json.dump(1) + "\n";
}

}  // namespace lipizz::report
