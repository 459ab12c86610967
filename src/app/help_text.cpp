#include "app/help_text.hpp"

#include <iomanip>
#include <sstream>

#include "app/command_table.hpp"
#include "app/options.hpp"
#include "config/reference.hpp"
#include "setup/operators.hpp"

namespace lipizz::app {

std::string help_text() {
  std::ostringstream text;
  text << "lipizz: cellular coevolutionary GAN training\n\n"
          "  mpirun -np 17 lipizz --grid 4x4    sixteen workers and a master\n"
          "  lipizz --grid 4x4                  the same on threads of one process\n\n"
          "Commands:\n";
  for (const CommandEntry& entry : commands()) {
    const std::string usage = std::string(entry.words) + " " + entry.argument;
    text << "  " << std::left << std::setw(24) << usage << entry.summary << "\n";
  }
  text << all_options();
  text << "\nOperators of the algorithm, by setting (`lipizz list` says more):\n"
       << config::operators_text(setup::operator_tables());
  return text.str();
}

}  // namespace lipizz::app
