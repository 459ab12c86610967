#include "config/reference.hpp"

#include <algorithm>

#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/text.hpp"

namespace lipizz::config {
namespace {

constexpr std::string_view kIntroduction = R"(# Configuration

An experiment is one JSON file; `configs/` holds some. A file needs only what differs from the
defaults below. Sections are objects: `generator.loss` stands as
`{"generator": {"loss": "bce"}}`. An operator of the algorithm is a name, or an object with its name
as `kind` and its parameters: `"selection": "tournament"`, `"selection": {"kind": "tournament", "size": 3}`;
on the command line `--set selection.kind=tournament --set selection.size=3`. Another `kind` begins
with its own defaults. `lipizz list selections` and so on say what each operator does.

A value comes from, in rising order: the default, the file (`--config FILE`), `--set
generator.loss=minimax` (repeatable), an option such as `--generations`. An unknown key, a wrong type
or a value out of range is an error, and so is a name that `lipizz list` does not know.
`lipizz config check FILE` checks a file, `lipizz config print` prints the effective configuration;
every run leaves it in its folder as `config.json`. A run is resumed with its own configuration;
settings marked * may be changed then, any other is refused.

This page is printed by `lipizz config reference`.
)";

bool is_operator(const Field& field) {
  return std::holds_alternative<Operator*>(field.value);
}

// An operator has a section of its own, unless it stands in another one.
std::string section_of(const Field& field) {
  const std::size_t dot = field.path.rfind('.');
  if (dot != std::string::npos) return field.path.substr(0, dot);
  return is_operator(field) ? field.path : std::string();
}

std::string allowed(const Field& field) {
  if (field.highest > field.lowest) {
    const std::string range = number_text(field.lowest) + " to " + number_text(field.highest);
    return field.unit.empty() ? range : range + " " + std::string(field.unit);
  }
  std::vector<std::string> choices;
  for (const std::string& name : field.names) choices.push_back("`" + name + "`");
  if (!field.kind.empty()) choices.push_back("`lipizz list " + std::string(field.kind) + "`");
  if (choices.empty()) return expected(field);
  return join(choices);
}

std::string row(const Field& field) {
  return "| `" + field.path + (field.may_change ? "` * | `" : "` | `") + value_text(field) +
         "` | " + allowed(field) + " | " + std::string(field.summary) + " |\n";
}

std::span<const OperatorDeclaration> operators_for(const Field& field,
                                                   const OperatorTables& operators) {
  const auto found = is_operator(field) ? operators.find(field.kind) : operators.end();
  return found == operators.end() ? std::span<const OperatorDeclaration>() : found->second;
}

// `selection.size` of `tournament`, and so on: the parameters of each operator that it may be.
std::string parameter_rows(const Field& field, const OperatorTables& operators) {
  std::string rows;
  for (const OperatorDeclaration& declaration : operators_for(field, operators)) {
    for (const Parameter& parameter : declaration.parameters) {
      rows += "| `" + field.path + "." + std::string(parameter.name) + "` (`" +
              std::string(declaration.name) + "`) | `" + number_text(parameter.initial) + "` | " +
              range_text(parameter) + " | " + std::string(parameter.summary) + " |\n";
    }
  }
  return rows;
}

struct Section {
  std::string name;
  std::string rows;
};

// In the order of their first settings.
std::vector<Section> rows_of_sections(const OperatorTables& operators) {
  std::vector<Section> sections;
  Experiment defaults;
  for (const Field& field : fields(defaults)) {
    const std::string name = section_of(field);
    auto found = std::ranges::find(sections, name, &Section::name);
    if (found == sections.end()) found = sections.insert(found, {.name = name, .rows = {}});
    found->rows += row(field) + parameter_rows(field, operators);
  }
  return sections;
}

std::string parameters_text(const OperatorDeclaration& declaration) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : declaration.parameters) {
    parameters.push_back(std::string(parameter.name) + " = " + number_text(parameter.initial) +
                         " (" + range_text(parameter) + ")");
  }
  return parameters.empty() ? std::string() : ": " + join(parameters);
}

}  // namespace

std::string reference_page(const OperatorTables& operators) {
  std::string page(kIntroduction);
  for (const auto& [section, rows] : rows_of_sections(operators)) {
    page += section.empty() ? "\n## The run\n" : "\n## " + section + "\n";
    page += "\n| setting | default | allowed | meaning |\n|---|---|---|---|\n" + rows;
  }
  return page;
}

std::string operators_text(const OperatorTables& operators) {
  Experiment defaults;
  std::string text;
  for (const Field& field : fields(defaults)) {
    if (is_operator(field)) text += "  " + field.path + "\n";
    for (const OperatorDeclaration& declaration : operators_for(field, operators)) {
      text += "    " + std::string(declaration.name) + parameters_text(declaration) + "\n";
    }
  }
  return text;
}

}  // namespace lipizz::config
