#include "app/help_text.hpp"

#include <sstream>
#include <vector>

#include "app/columns.hpp"
#include "app/command_table.hpp"
#include "app/options.hpp"
#include "config/reference.hpp"
#include "setup/operators.hpp"

namespace lipizz::app {
namespace {

constexpr const char* kIntroduction =
    "lipizz trains GANs on a grid of cells that learn from their neighbours (cellular\n"
    "coevolution), on one machine or many.\n"
    "\n"
    "  lipizz launch               trains a 2x2 grid on the built-in digits, under mpirun\n"
    "  lipizz launch --grid 4x4    a larger one; as many ranks as are of use\n"
    "  lipizz train --grid 2x2     the same result on threads of one process, without MPI\n"
    "  lipizz launch --config mustangs-mnist --data-dir DIR\n"
    "                              a published experiment (`lipizz list configs`)\n"
    "  lipizz launch --resume RUN  goes on with a run that was stopped\n"
    "\n"
    "A run writes its results and pictures into a folder of its own, below runs/.\n"
    "\n";

std::vector<boost::program_options::options_description> options_of(const CommandEntry& entry) {
  std::vector<boost::program_options::options_description> groups;
  if (entry.reads_experiment) groups.push_back(experiment_options());
  if (entry.reads_run_options) groups.push_back(run_options());
  if (entry.reads_launch_options) groups.push_back(launch_options());
  if (entry.reads_list_options) groups.push_back(list_options());
  return groups;
}

std::string with_argument(const CommandEntry& entry, const std::string& words) {
  return *entry.argument == 0 ? words : words + " " + entry.argument;
}

std::string command_list() {
  std::vector<setup::Entry> rows;
  for (const CommandEntry& entry : commands()) {
    rows.push_back({.name = with_argument(entry, entry.words), .summary = entry.summary});
  }
  return "Commands:\n" + columns(rows, "  ");
}

std::string about(const CommandEntry& entry) {
  const auto groups = options_of(entry);
  const std::string usage = std::string("lipizz ") + entry.words;
  std::ostringstream text;
  text << with_argument(entry, groups.empty() ? usage : usage + " [OPTIONS]") << "\n\n"
       << entry.summary << "\n";
  if (*entry.details != 0) text << "\n" << entry.details;
  for (const auto& group : groups) text << "\n" << group;
  return text.str();
}

std::string about_the_program() {
  std::ostringstream text;
  text << kIntroduction << command_list() << "\n"
       << all_options() << "\nOperators of the algorithm, by setting (`lipizz list` says more):\n"
       << config::operators_text(setup::operator_tables());
  return text.str();
}

}  // namespace

std::string introduction() {
  return kIntroduction + command_list() +
         "\n`lipizz help COMMAND` says more about a command, `lipizz --help` lists all options.\n";
}

std::string help_text(std::span<const std::string> words) {
  if (words.empty()) return about_the_program();
  std::string text;
  for (const CommandEntry* entry : find_commands(words)) {
    text += (text.empty() ? "" : "\n") + about(*entry);
  }
  return text;
}

}  // namespace lipizz::app
