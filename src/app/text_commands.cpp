#include "app/text_commands.hpp"

#include <ostream>
#include <string>

#include "app/columns.hpp"
#include "app/config_check.hpp"
#include "app/help_text.hpp"
#include "app/load_experiment.hpp"
#include "app/model_tables.hpp"
#include "app/registries.hpp"
#include "config/json.hpp"
#include "config/reference.hpp"
#include "core/error.hpp"
#include "setup/operators.hpp"

namespace lipizz::app {
namespace {

int print(const std::string& text, std::ostream& out) {
  out << text;
  return static_cast<int>(ExitCode::kDone);
}

std::string details(const std::string& kind) {
  if (!kind.empty() && find_listed(kind).name == "models") return model_tables();
  throw ConfigError("--verbose: expected `list models`, which alone has more to show");
}

}  // namespace

int help_command(const CommandLine& line, std::ostream& out) {
  return print(help_text(line.arguments), out);
}

int version_command(const CommandLine& /*line*/, std::ostream& out) {
  return print("lipizz " LIPIZZ_VERSION "\n", out);
}

int check_config_command(const CommandLine& line, std::ostream& out) {
  return print(check_config_file(line.arguments.front()), out);
}

int print_config_command(const CommandLine& line, std::ostream& out) {
  return print(config::to_json(checked_experiment(line)), out);
}

int reference_command(const CommandLine& /*line*/, std::ostream& out) {
  return print(config::reference_page(setup::operator_tables()), out);
}

int list_command(const CommandLine& line, std::ostream& out) {
  const std::string kind = line.arguments.empty() ? "" : line.arguments.front();
  if (line.is_verbose) return print(details(kind), out);
  if (!kind.empty()) return print(columns(find_listed(kind).entries()), out);
  return print(columns(setup::entries_of(listed_registries())), out);
}

}  // namespace lipizz::app
