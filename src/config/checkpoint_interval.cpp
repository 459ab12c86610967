#include "config/checkpoint_interval.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::config {

CheckpointInterval checkpoint_interval(const Checkpoint& checkpoint) {
  const std::string& text = checkpoint.every;
  if (text == "off") return {};
  if (text.ends_with('s')) {
    const auto seconds = parse_number<double>(std::string_view(text).substr(0, text.size() - 1));
    if (seconds && *seconds > 0 && std::isfinite(*seconds)) return {.seconds = *seconds};
  } else {
    const auto generations = parse_number<std::uint32_t>(text);
    if (generations && *generations > 0) return {.generations = *generations};
  }
  throw ConfigError(
      "checkpoint.every: expected seconds such as 60s, a number of generations such as 5, or off; "
      "found \"" +
      text + "\"");
}

}  // namespace lipizz::config
