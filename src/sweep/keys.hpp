#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lipizz::sweep {

/// A key of one of the objects of a sweep's file.
struct Key {
  std::string_view object;  // `sweep`, `axis`, `range`, `random` or `stop_early`
  std::string_view name;
  std::string_view takes;
  std::string_view summary;
};

/// The one declaration of the format: reading knows no other keys, and docs/sweeps.md shows this.
std::span<const Key> keys();

/// The names of an object's keys.
std::vector<std::string> names_of(std::string_view object);

/// The tables of docs/sweeps.md, in Markdown: one for each object.
std::string reference_tables();

}  // namespace lipizz::sweep
