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
`{"generator": {"loss": "bce"}}`.

A value comes from, in rising order: the default, the file (`--config FILE`), `--set
generator.loss=minimax` (repeatable), an option such as `--generations`. An unknown key, a wrong type
or a value out of range is an error, and so is a name that `lipizz list` does not know.
`lipizz config check FILE` checks a file, `lipizz config print` prints the effective configuration;
every run leaves it in its folder as `config.json`.

This page is printed by `lipizz config reference`.
)";

std::string section_of(const Field& field) {
  const std::size_t dot = field.path.rfind('.');
  return dot == std::string::npos ? std::string() : field.path.substr(0, dot);
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
  return "| `" + field.path + "` | `" + value_text(field) + "` | " + allowed(field) + " | " +
         std::string(field.summary) + " |\n";
}

}  // namespace

std::string reference_page() {
  Experiment defaults;
  std::string page(kIntroduction);
  std::string section = "none yet";
  for (const Field& field : fields(defaults)) {
    if (section_of(field) != section) {
      section = section_of(field);
      page += section.empty() ? "\n## The run\n" : "\n## " + section + "\n";
      page += "\n| setting | default | allowed | meaning |\n|---|---|---|---|\n";
    }
    page += row(field);
  }
  return page;
}

}  // namespace lipizz::config
