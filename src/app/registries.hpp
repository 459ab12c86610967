#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.hpp"

namespace lipizz::app {

/// One line of a list: usually what a setting can name.
struct Entry {
  std::string name;
  std::string summary;
};

/// A registry as `lipizz list KIND` shows it.
struct Kind {
  std::string_view name;
  std::string_view summary;
  std::vector<Entry> (*entries)();
  std::string (*details)() = nullptr;  // what --verbose shows; null: nothing more
};

/// Every kind there is.
std::span<const Kind> kinds();

/// ConfigError naming the nearest when there is none of that name.
const Kind& find_kind(std::string_view name);

/// The names of all kinds: what config::check() holds settings against.
config::Names registered_names();

/// config::check() against these names, and whether metric and model fit the dataset and a training
/// step can be made. Throws ConfigError.
void check(const config::Experiment& experiment);

}  // namespace lipizz::app
