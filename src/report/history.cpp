#include "report/history.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include "core/check.hpp"
#include "report/growing_lines.hpp"

namespace lipizz::report {
namespace {

constexpr std::uint32_t kItself = std::numeric_limits<std::uint32_t>::max();
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

std::array<float, kFigures> figures_of(const MetricsLine& line) {
  return {static_cast<float>(line.score), static_cast<float>(line.generator.loss),
          static_cast<float>(line.generator.rate), static_cast<float>(line.discriminator.loss),
          static_cast<float>(line.discriminator.rate)};
}

std::uint32_t parent_of(const MetricsLine::Network& network, CellId cell) {
  return network.is_replaced || network.is_copied ? network.origin.value : cell.value;
}

}  // namespace

bool History::add(const MetricsLine& line) {
  const std::uint64_t n_before = n_lines_ + n_damaged_;
  const bool is_in_its_place = line.cell.value < torus_.cells() && line.generation > 0 &&
                               line.generation <= n_before / torus_.cells() + 2;
  if (!is_in_its_place) {
    ++n_damaged_;
    return false;
  }
  ++n_lines_;
  if (line.generation > generations_) {
    generations_ = line.generation;
    entries_.resize(std::size_t{generations_} * torus_.cells(),
                    {{kNone, kNone, kNone, kNone, kNone}, {kItself, kItself}});
  }
  entries_[std::size_t{line.generation - 1} * torus_.cells() + line.cell.value] = {
      .figures = figures_of(line),
      .parents = {parent_of(line.generator, line.cell), parent_of(line.discriminator, line.cell)},
      .n_members = static_cast<std::uint32_t>(line.mixture.size()),
      .first_member = members_.size()};
  for (const MetricsLine::Member& member : line.mixture) {
    members_.push_back({member.cell, static_cast<float>(member.weight)});
  }
  Cell& cell = cells_[line.cell];
  for (const auto& [routine, seconds] : line.seconds) {
    if (std::isfinite(seconds)) cell.seconds[routine] += seconds;
  }
  cell.newest = line;
  if (!std::isnan(line.score)) cell.newest_scored = line;
  return true;
}

const History::Cell& History::cell(CellId cell) const {
  static const Cell kUntold;
  const auto found = cells_.find(cell);
  return found == cells_.end() ? kUntold : found->second;
}

const History::Entry& History::entry(CellId cell, Generation generation) const {
  LIPIZZ_ASSERT(cell.value < torus_.cells() && generation > 0 && generation <= generations_);
  return entries_[std::size_t{generation - 1} * torus_.cells() + cell.value];
}

float History::at(Figure figure, CellId cell, Generation generation) const {
  return entry(cell, generation).figures[static_cast<std::size_t>(figure)];
}

std::vector<float> History::series(Figure figure, CellId cell) const {
  std::vector<float> values(generations_);
  for (Generation generation = 1; generation <= generations_; ++generation) {
    values[generation - 1] = at(figure, cell, generation);
  }
  return values;
}

CellId History::parent(NetworkRole role, CellId cell, Generation generation) const {
  const std::uint32_t parent = entry(cell, generation).parents[static_cast<std::size_t>(role)];
  return parent == kItself ? cell : CellId{parent};
}

std::span<const History::Member> History::mixture(CellId cell, Generation generation) const {
  const Entry& found = entry(cell, generation);
  return std::span(members_).subspan(found.first_member, found.n_members);
}

std::vector<float> History::best_scores() const {
  std::vector<float> best(generations_, kNone);
  for (Generation generation = 1; generation <= generations_; ++generation) {
    for (std::uint32_t cell = 0; cell < torus_.cells(); ++cell) {
      const float score = at(Figure::kScore, {cell}, generation);
      float& lowest = best[generation - 1];
      if (std::isnan(lowest) || score < lowest) lowest = score;
    }
  }
  return best;
}

History read_history(const std::filesystem::path& file, const grid::Torus& torus) {
  History history(torus);
  GrowingLines(file).read([&](std::string_view line) {
    const auto parsed = parse_metrics_line(line, torus);
    if (parsed) return history.add(*parsed);
    history.add_damaged();
    return false;
  });
  return history;
}

std::optional<BestGeneration> best_generation(const History& history) {
  std::optional<BestGeneration> best;
  for (Generation generation = 1; generation <= history.generations(); ++generation) {
    for (std::uint32_t cell = 0; cell < history.torus().cells(); ++cell) {
      const float score = history.at(Figure::kScore, {cell}, generation);
      const bool is_better = !best || score < best->score;
      if (!std::isnan(score) && is_better) best = {generation, {cell}, score};
    }
  }
  return best;
}

}  // namespace lipizz::report
