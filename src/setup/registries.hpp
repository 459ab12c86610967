#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::setup {

/// One row of a registry.
struct Entry {
  std::string name;
  std::string summary;
};

/// A kind of things that are chosen by name.
struct Registry {
  std::string_view name;  // in the plural: losses
  std::string_view summary;
  std::vector<Entry> (*entries)();
};

/// The registries that settings name: each config::Field::kind has its row.
std::span<const Registry> registries();

/// InternalError when there is none of that name.
const Registry& find_registry(std::string_view name);

/// The rows of a table whose records have a name and a summary, or of pointers to such.
template <class Table>
std::vector<Entry> entries_of(const Table& table) {
  const auto entry_of = [](const auto& row) {
    return Entry{.name = std::string(row.name), .summary = std::string(row.summary)};
  };
  std::vector<Entry> entries;
  for (const auto& row : table) {
    if constexpr (requires { row->name; }) {
      entries.push_back(entry_of(*row));
    } else {
      entries.push_back(entry_of(row));
    }
  }
  return entries;
}

}  // namespace lipizz::setup
