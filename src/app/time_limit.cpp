#include "app/time_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

// Seconds last, before them minutes, hours and, in front of a hyphen, days.
std::optional<double> parsed(const std::string& text) {
  constexpr std::array kUnits_s{1.0, 60.0, 3600.0, 86400.0};
  std::vector<std::string> parts;
  const std::vector<std::string> days = split(text, '-');
  if (days.size() == 2) parts.push_back(days.front());
  for (const std::string& part : split(days.back(), ':')) parts.push_back(part);
  const bool is_whole_day = days.size() == 1 || parts.size() == kUnits_s.size();
  if (days.size() > 2 || parts.size() > kUnits_s.size() - (days.size() == 1) || !is_whole_day) {
    return std::nullopt;
  }
  double total_s = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_number<std::uint32_t>(parts[parts.size() - 1 - i]);
    if (!number) return std::nullopt;
    total_s += *number * kUnits_s[i];
  }
  return total_s > 0 ? std::optional(total_s) : std::nullopt;
}

}  // namespace

double duration_s(const std::string& text) {
  if (const auto seconds = parsed(text)) return *seconds;
  throw ConfigError(
      "time limit: expected a time such as 3600, 90:00, 2:30:00 or 1-12:00:00, found \"" + text +
      "\"");
}

std::optional<double> slurm_time_left_s(
    const std::function<std::string(const std::string& command)>& run) {
  const char* job = std::getenv("SLURM_JOB_ID");
  if (job == nullptr || !parse_number<std::uint32_t>(job)) return std::nullopt;
  std::string left = run("squeue --noheader --job " + std::string(job) + " --format %L");
  std::erase_if(left, [](char c) { return c == ' ' || c == '\n'; });
  return parsed(left);  // UNLIMITED and the like are no time
}

}  // namespace lipizz::app
