#pragma once

#include <functional>
#include <optional>
#include <string>

namespace lipizz::app {

/// Seconds of `90`, `15:00` (minutes), `2:30:00` (hours) or `1-12:00:00` (days), as schedulers
/// write times. ConfigError on anything else, and on no time at all.
double duration_s(const std::string& text);

/// The time that is left of the Slurm job that this process runs in, in seconds; nothing outside a
/// job or where Slurm does not tell. `run` runs a command and returns what it printed.
std::optional<double> slurm_time_left_s(
    const std::function<std::string(const std::string& command)>& run);

}  // namespace lipizz::app
