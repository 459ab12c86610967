#include "app/commands.hpp"

#include <ostream>
#include <sstream>
#include <string>

#include "app/command_line.hpp"
#include "app/help_text.hpp"
#include "app/launcher.hpp"
#include "app/load_experiment.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

void expect_processes_of(const CommandEntry& entry) {
  if (entry.processes == Processes::kAll || !is_one_of_several()) return;
  throw ConfigError(std::string(entry.words) +
                    " works in one process; start it without mpirun or srun");
}

int written(std::ostream& out, int code) {
  if (!out.flush()) throw ConfigError("cannot write to the standard output");
  return code;
}

}  // namespace

int run(std::span<const std::string> arguments, const Trainer& train, std::ostream& out) {
  // A person who types no more wants to know what this is; a script that means a training is told
  // that there was none.
  if (arguments.empty() && !launcher_rank()) {
    out << introduction();
    return written(out, static_cast<int>(ExitCode::kUsage));
  }
  std::ostringstream unheard;
  std::ostream& heard = launcher_rank().value_or(0) == 0 ? out : unheard;
  CommandLine line;
  int code = 0;
  try {
    line = parse_command_line(arguments);
    expect_processes_of(*line.command);
    if (line.command->run != nullptr) code = line.command->run(line, heard);
  } catch (const Error& error) {
    if (!launcher_rank()) throw;
    return train([error]() -> config::Experiment { throw error; }, {});
  }
  if (line.command->run != nullptr) return written(heard, code);
  return train([&line] { return checked_experiment(line); }, line.run);
}

}  // namespace lipizz::app
