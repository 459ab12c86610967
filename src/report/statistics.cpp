#include "report/statistics.hpp"

#include <cmath>
#include <limits>

namespace lipizz::report {

Repetitions summarize(std::span<const double> figures) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Repetitions result{.mean = kNone, .standard_error = kNone};
  double sum = 0;
  for (const double figure : figures) {
    if (std::isfinite(figure)) {
      ++result.n;
      sum += figure;
    }
  }
  result.n_without = figures.size() - result.n;
  if (result.n == 0) return result;
  result.mean = sum / static_cast<double>(result.n);
  if (result.n == 1) return result;
  double squares = 0;
  for (const double figure : figures) {
    if (std::isfinite(figure)) squares += (figure - result.mean) * (figure - result.mean);
  }
  const auto n = static_cast<double>(result.n);
  result.standard_error = std::sqrt(squares / (n - 1) / n);
  return result;
}

}  // namespace lipizz::report
