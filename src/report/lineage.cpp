#include "report/lineage.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

namespace lipizz::report {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

const MetricsLine::Network& network_of(const MetricsLine& line, NetworkRole role) {
  return role == NetworkRole::kGenerator ? line.generator : line.discriminator;
}

// The generation of a neighbour's centre as the cell of the line had it; none where the line says
// that it had none.
std::optional<Generation> generation_held(const MetricsLine& line, CellId neighbour) {
  const std::int64_t before = std::int64_t{line.generation} - 1;
  if (neighbour == line.cell || line.ages.empty()) return static_cast<Generation>(before);
  const auto age = std::ranges::find(line.ages, neighbour, &MetricsLine::Age::neighbour);
  if (age == line.ages.end() || !age->generations) return std::nullopt;
  const std::int64_t held = before - *age->generations;
  if (held < 0 || held > std::numeric_limits<Generation>::max()) return std::nullopt;
  return static_cast<Generation>(held);
}

// None where the line contradicts itself.
std::optional<Ancestor> ancestor_of(const MetricsLine& line, NetworkRole role) {
  const MetricsLine::Network& network = network_of(line, role);
  Ancestor ancestor;
  ancestor.place = {line.generation, line.cell};
  ancestor.loss = network.loss;
  const bool is_kept = !network.is_replaced && !network.is_copied;
  const CellId source = is_kept ? line.cell : network.origin;
  const auto generation = generation_held(line, source);
  if (!generation) return std::nullopt;
  ancestor.parent = {*generation, source};
  ancestor.event = is_kept               ? Ancestor::Event::kKept
                   : network.is_replaced ? Ancestor::Event::kTrained
                                         : Ancestor::Event::kCopied;
  // Otherwise these are those of an offspring that was not taken.
  ancestor.rate = network.is_replaced ? network.rate : kUnknown;
  if (network.is_replaced) ancestor.objective = network.objective;
  return ancestor;
}

// One that was kept or copied has what its parent has trained with.
void hand_down(std::vector<Ancestor>& ancestors) {
  for (auto parent = ancestors.rbegin(); parent != ancestors.rend(); ++parent) {
    const auto child = std::next(parent);
    if (child == ancestors.rend()) return;
    if (child->event == Ancestor::Event::kTrained) continue;
    child->rate = parent->rate;
    child->objective = parent->objective;
  }
}

Ancestor seeded(const Place& place, const Beginning& beginning) {
  return {.place = place,
          .event = Ancestor::Event::kSeeded,
          .parent = place,
          .rate = beginning.rate,
          .objective = beginning.objective,
          .loss = kUnknown};
}

void add_objective(Stay& stay, const Ancestor& ancestor) {
  const bool is_known =
      std::ranges::find(stay.objectives, ancestor.objective) != stay.objectives.end();
  if (!is_known && !ancestor.objective.empty()) stay.objectives.push_back(ancestor.objective);
}

std::set<Place> places_of(const Lineage& lineage) {
  std::set<Place> places;
  for (const Ancestor& ancestor : lineage.ancestors) places.insert(ancestor.place);
  return places;
}

}  // namespace

const MetricsLine* find_line(std::span<const MetricsLine> lines, const Place& place) {
  const auto place_of = [](const MetricsLine& line) { return Place{line.generation, line.cell}; };
  const auto found = std::ranges::lower_bound(lines, place, {}, place_of);
  return found != lines.end() && place_of(*found) == place ? &*found : nullptr;
}

Lineage lineage_of(std::span<const MetricsLine> lines, NetworkRole role, const Place& newest,
                   const Beginning& beginning) {
  Lineage lineage;
  Place place = newest;
  while (place.generation > 0) {
    const MetricsLine* const line = find_line(lines, place);
    const auto ancestor = line == nullptr ? std::nullopt : ancestor_of(*line, role);
    // Lines that were tampered with may go round in a circle.
    if (!ancestor || lineage.ancestors.size() == lines.size()) {
      lineage.missing = place;
      break;
    }
    lineage.ancestors.push_back(*ancestor);
    place = ancestor->parent;
  }
  if (!lineage.missing) lineage.ancestors.push_back(seeded(place, beginning));
  hand_down(lineage.ancestors);
  if (role == NetworkRole::kDiscriminator) {  // whose loss never changes, and is not told
    for (Ancestor& ancestor : lineage.ancestors) ancestor.objective = beginning.objective;
  }
  return lineage;
}

std::vector<Place> mixture_members(const MetricsLine& line) {
  std::vector<Place> members;
  for (const MetricsLine::Member& member : line.mixture) {
    const auto generation = member.cell == line.cell ? std::optional(line.generation)
                                                     : generation_held(line, member.cell);
    if (generation) members.push_back({*generation, member.cell});
  }
  return members;
}

std::optional<Place> common_ancestor(std::span<const Lineage> lineages) {
  if (lineages.empty()) return std::nullopt;
  std::set<Place> shared = places_of(lineages.front());
  for (const Lineage& lineage : lineages.subspan(1)) {
    const std::set<Place> others = places_of(lineage);
    std::erase_if(shared, [&](const Place& place) { return !others.contains(place); });
  }
  return shared.empty() ? std::nullopt : std::optional(*shared.rbegin());
}

std::vector<Stay> stays_of(const Lineage& lineage) {
  std::vector<Stay> stays;
  for (const Ancestor& ancestor : lineage.ancestors) {
    const bool is_elsewhere = stays.empty() || stays.back().cell != ancestor.place.cell;
    if (is_elsewhere) {
      Stay& begun = stays.emplace_back();
      begun.cell = ancestor.place.cell;
      begun.last = ancestor.place.generation;
      begun.newest = ancestor;
      begun.first_loss = kUnknown;
    }
    Stay& stay = stays.back();
    stay.first = ancestor.place.generation;
    stay.oldest = ancestor;
    add_objective(stay, ancestor);
    if (!std::isnan(ancestor.loss)) stay.first_loss = ancestor.loss;
    stay.n_trained += ancestor.event == Ancestor::Event::kTrained ? 1 : 0;
    const bool came = ancestor.parent.cell != ancestor.place.cell;
    stay.came_from = came ? std::optional(ancestor.parent) : std::nullopt;
  }
  return stays;
}

}  // namespace lipizz::report
