#pragma once

#include <limits>
#include <string>
#include <vector>

namespace lipizz::metrics {

/// One row of what scores say of a set of samples.
struct Figure {
  enum class Better { kLower, kHigher };

  std::string name;
  Better better = Better::kLower;
  double value = 0;
  double error = std::numeric_limits<double>::quiet_NaN();  // standard; NaN: not known
  double floor = std::numeric_limits<double>::quiet_NaN();  // of real samples; NaN: not known
};

}  // namespace lipizz::metrics
