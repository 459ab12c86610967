#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/doctor.hpp"
#include "report/terminal_text.hpp"

namespace lipizz::app {

/// The scheduler whose job this is, by its variables; `time_left_s` as Slurm tells it. `variable`
/// gives the value of a variable, empty where it is not set.
Finding check_scheduler(const std::function<std::string(const std::string&)>& variable,
                        std::optional<double> time_left_s);

/// The terminal that the live view would be drawn on; nothing where there is none.
Finding check_terminal(const std::optional<report::TerminalStyle>& style);

}  // namespace lipizz::app
