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
  for (const OptionGroup group : entry.groups) {
    if (group != nullptr) groups.push_back(group());
  }
  return groups;
}

std::string with_arguments(const CommandEntry& entry, const std::string& words) {
  return *entry.arguments == 0 ? words : words + " " + entry.arguments;
}

std::string command_list() {
  std::vector<setup::Entry> rows;
  for (const CommandEntry& entry : commands()) {
    rows.push_back({.name = with_arguments(entry, entry.words), .summary = entry.summary});
  }
  return "Commands:\n" + columns(rows, "  ");
}

std::string about(const CommandEntry& entry) {
  const auto groups = options_of(entry);
  const std::string usage = std::string("lipizz ") + entry.words;
  std::ostringstream text;
  text << with_arguments(entry, groups.empty() ? usage : usage + " [OPTIONS]") << "\n\n"
       << entry.summary << "\n";
  if (*entry.details != 0) text << "\n" << entry.details;
  for (const auto& group : groups) text << "\n" << group;
  return text.str();
}

std::string about_the_program() {
  std::ostringstream text;
  text << kIntroduction << command_list();
  for (const OptionGroup group : kOptionGroups) text << "\n" << group();
  text << "\nOperators of the algorithm, by setting (`lipizz list` says more):\n"
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
