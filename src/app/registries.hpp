#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.hpp"
#include "setup/registries.hpp"

namespace lipizz::app {

/// The registries that `lipizz list` shows, by name: those that settings name, and those that
/// describe models and settings.
std::vector<setup::Registry> listed_registries();

/// ConfigError naming the nearest when there is none of that name.
setup::Registry find_listed(std::string_view name);

/// `2x2 cells for 20 generations on glyphs`
std::string described(const config::Experiment& experiment);

}  // namespace lipizz::app
