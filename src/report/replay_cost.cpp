#include "report/replay_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/lineage.hpp"

namespace lipizz::report {
namespace {

constexpr std::string_view kByTheClock = "gather";  // waiting for neighbours
constexpr std::string_view kOfMixtures = "mixture";

double mixture_s(const MetricsLine& line) {
  const auto found = std::ranges::find(line.seconds, kOfMixtures, &Named::name);
  return found == line.seconds.end() || std::isnan(found->value) ? 0 : found->value;
}

double centre_s(const MetricsLine& line) {
  double seconds = 0;
  for (const auto& [name, value] : line.seconds) {
    if (name != kByTheClock && name != kOfMixtures && !std::isnan(value)) seconds += value;
  }
  return seconds;
}

// The sum over cells of which some may be unknown.
class Sum {
 public:
  void add(const MetricsLine* line, double (*seconds_of)(const MetricsLine&)) {
    ++n_;
    if (line == nullptr) return;
    ++n_known_;
    known_s_ += seconds_of(*line);
  }
  [[nodiscard]] double seconds() const {
    if (n_ == 0) return 0;
    return known_s_ / static_cast<double>(n_known_) * static_cast<double>(n_);
  }

 private:
  std::uint64_t n_ = 0;
  std::uint64_t n_known_ = 0;
  double known_s_ = 0;
};

template <class Value>
bool is_same(const Value& a, const Value& b) {
  return a == b;
}
bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

template <class Value>
std::string difference_of(std::string_view what, const Value& told, const Value& replayed) {
  if (is_same(told, replayed)) return {};
  return fmt::format("{} {} in place of {}", what, replayed, told);
}

std::string difference_of(const std::string& name, const MetricsLine::Network& told,
                          const MetricsLine::Network& replayed) {
  for (const std::string& found :
       {difference_of(name + ".loss", told.loss, replayed.loss),
        difference_of(name + ".rate", told.rate, replayed.rate),
        difference_of(name + ".objective", told.objective, replayed.objective),
        difference_of(name + ".origin", told.origin.value, replayed.origin.value),
        difference_of(name + ".replaced", told.is_replaced, replayed.is_replaced)}) {
    if (!found.empty()) return found;
  }
  return {};
}

std::string difference_of(const std::vector<MetricsLine::Member>& told,
                          const std::vector<MetricsLine::Member>& replayed) {
  const auto is_same_member = [](const auto& a, const auto& b) {
    return a.cell == b.cell && a.weight == b.weight;
  };
  return std::ranges::equal(told, replayed, is_same_member) ? "" : "other weights of its mixture";
}

}  // namespace

double replay_cpu_s(std::span<const MetricsLine> lines, const grid::LightCone& cone,
                    std::span<const CellId> targets, bool is_final) {
  Sum centres;
  Sum mixtures;
  for (Generation generation = cone.start() + 1; generation <= cone.last(); ++generation) {
    for (const CellId cell : cone.cells(generation)) {
      centres.add(find_line(lines, {generation, cell}), centre_s);
    }
    for (const CellId cell : targets) {
      mixtures.add(find_line(lines, {generation, cell}), mixture_s);
    }
  }
  for (const CellId cell : is_final ? targets : std::span<const CellId>()) {
    mixtures.add(find_line(lines, {cone.last(), cell}), mixture_s);
  }
  return centres.seconds() + mixtures.seconds();
}

std::string difference(const MetricsLine& told, const MetricsLine& replayed, bool is_scored) {
  std::string found = difference_of("generator", told.generator, replayed.generator);
  if (found.empty()) {
    found = difference_of("discriminator", told.discriminator, replayed.discriminator);
  }
  if (found.empty() && is_scored) found = difference_of("score", told.score, replayed.score);
  if (found.empty() && is_scored) found = difference_of(told.mixture, replayed.mixture);
  return found;
}

}  // namespace lipizz::report
