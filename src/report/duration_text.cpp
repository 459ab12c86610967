#include "report/duration_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace lipizz::report {

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::uint64_t>(std::lround(seconds / 60));
  if (minutes < 60) return fmt::format("{} min", minutes);
  if (minutes < 24 * 60) return fmt::format("{} h {} min", minutes / 60, minutes % 60);
  return fmt::format("{} d {} h", minutes / 60 / 24, minutes / 60 % 24);
}

}  // namespace lipizz::report
