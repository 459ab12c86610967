#include "report/setting_differences.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/text.hpp"

namespace lipizz::report {
namespace {

// The setting's place in the reference, and the name of an operator's parameter or nothing.
using Key = std::pair<std::size_t, std::string>;
using Values = std::map<Key, std::vector<std::string>>;

// As on a command line: texts without their quotes, unless something in them is escaped.
std::string plain(std::string json) {
  const bool is_text = json.size() >= 2 && json.front() == '"' && json.back() == '"';
  return is_text && json.find('\\') == std::string::npos ? json.substr(1, json.size() - 2) : json;
}

void add(const config::Field& field, std::size_t place, std::size_t i, std::size_t n,
         Values& values) {
  const auto set = [&](const std::string& parameter, std::string text) {
    std::vector<std::string>& row = values[{place, parameter}];
    row.resize(n);
    row[i] = std::move(text);
  };
  if (const auto* const* written = std::get_if<config::Operator*>(&field.value)) {
    set("", (*written)->kind);
    for (const auto& [name, number] : (*written)->parameters) set(name, number_text(number));
  } else {
    set("", plain(config::value_text(field)));
  }
}

}  // namespace

std::vector<SettingDifference> setting_differences(
    std::span<const config::Experiment> experiments) {
  Values values;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    config::Experiment experiment = experiments[i];
    const std::vector<config::Field> fields = config::fields(experiment);
    for (std::size_t place = 0; place < fields.size(); ++place) {
      if (i == 0) paths.push_back(fields[place].path);
      add(fields[place], place, i, experiments.size(), values);
    }
  }
  std::vector<SettingDifference> differences;
  for (auto& [key, row] : values) {
    if (std::ranges::adjacent_find(row, std::not_equal_to<>()) == row.end()) continue;
    const auto& [place, parameter] = key;
    differences.push_back(
        {parameter.empty() ? paths[place] : paths[place] + "." + parameter, std::move(row)});
  }
  return differences;
}

}  // namespace lipizz::report
