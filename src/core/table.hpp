#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz {

/// The row of a table that is called `name`; `name_of` is the member that holds a row's name, or a
/// function of the row. ConfigError naming the nearest when there is none; `kind` says what rows
/// are.
template <std::ranges::random_access_range Table, class NameOf>
const auto& find_row(const Table& table, NameOf name_of, std::string_view name,
                     std::string_view kind) {
  const auto found = std::ranges::find(table, name, name_of);
  if (found != std::ranges::end(table)) return *found;
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(std::invoke(name_of, row));
  throw ConfigError("there is no " + std::string(kind) + " \"" + shortened(name) + "\"" +
                    suggestion(name, names));
}

}  // namespace lipizz
