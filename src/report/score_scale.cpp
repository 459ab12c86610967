#include "report/score_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lipizz::report {
namespace {

constexpr double kLeastSpread = 1.25;
constexpr std::array<Colour, 12> kViridis{
    Colour{68, 1, 84, 53}, {72, 33, 115, 54},   {67, 62, 133, 60},   {56, 88, 140, 24},
    {45, 112, 142, 31},    {37, 133, 142, 30},  {30, 155, 138, 36},  {42, 176, 127, 72},
    {82, 197, 105, 77},    {134, 213, 73, 113}, {194, 223, 35, 185}, {253, 231, 37, 220}};
constexpr std::string_view kCharacters = ".:-=+*#%@";

}  // namespace

ScoreScale::ScoreScale(const std::vector<double>& scores) {
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    best_ = has_scores_ ? std::min(best_, score) : score;
    worst_ = has_scores_ ? std::max(worst_, score) : score;
    has_scores_ = true;
  }
}

std::optional<double> ScoreScale::goodness(double score) const {
  if (!std::isfinite(score)) return std::nullopt;
  const bool is_logarithmic = best_ > 0;
  const auto place = [=](double x) { return is_logarithmic ? std::log(x) : x; };
  const double least = is_logarithmic ? std::log(kLeastSpread) : 0;
  const double spread = std::max(place(worst_) - place(best_), least);
  return spread > 0 ? std::clamp(1 - (place(score) - place(best_)) / spread, 0.0, 1.0) : 1;
}

Colour colour_of(double goodness) {
  const double place = std::clamp(goodness, 0.0, 1.0) * (kViridis.size() - 1);
  return kViridis.at(static_cast<std::size_t>(std::lround(place)));
}

char character_of(double goodness) {
  const double place = std::clamp(goodness, 0.0, 1.0) * (kCharacters.size() - 1);
  return kCharacters.at(static_cast<std::size_t>(std::lround(place)));
}

}  // namespace lipizz::report
