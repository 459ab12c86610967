#include "app/command_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/compare_command.hpp"
#include "app/doctor_command.hpp"
#include "app/ensemble_command.hpp"
#include "app/evaluate_command.hpp"
#include "app/generate_command.hpp"
#include "app/launch_command.hpp"
#include "app/lineage_command.hpp"
#include "app/replay_command.hpp"
#include "app/report_command.hpp"
#include "app/sweep_command.hpp"
#include "app/text_commands.hpp"
#include "app/tune_command.hpp"
#include "app/watch_command.hpp"
#include "core/error.hpp"
#include "core/synonyms.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

constexpr std::array kCommands{
    CommandEntry{.words = "launch",
                 .arguments = "[-- MPIRUN OPTIONS]",
                 .summary = "Trains under mpirun, and starts it again when it dies.",
                 .details =
                     "Starts as many ranks as are of use: a master, and a worker for each cell "
                     "or GPU. In a Slurm\njob it stays within its tasks. What stands behind "
                     "-- is mpirun's.\n\n"
                     "  lipizz launch --grid 4x4\n"
                     "  lipizz launch --grid 4x4 --dry-run\n"
                     "  lipizz launch --grid 4x4 --spares 1\n"
                     "  lipizz launch --grid 4x4 -- --host node1:8,node2:8\n"
                     "  lipizz launch --resume runs/...\n",
                 .groups = {experiment_options, run_options, launch_options},
                 .run = launch_command},
    CommandEntry{.words = "train",
                 .summary = "Trains on the ranks of mpirun or srun, else in this process.",
                 .details =
                     "Options alone mean the same: `lipizz --grid 2x2` is `lipizz train --grid "
                     "2x2`.\n\n"
                     "  lipizz train --grid 2x2\n"
                     "  mpirun --oversubscribe -np 5 lipizz train --grid 2x2\n"
                     "  lipizz train --grid 64x64 --dry-run\n",
                 .groups = {experiment_options, run_options}},
    CommandEntry{.words = "report",
                 .arguments = "RUN",
                 .summary = "Writes what a run did as one page for a browser.",
                 .details = "The page needs no network. A run that goes on meanwhile may be "
                            "reported, too.\n\n"
                            "  lipizz report runs/...\n"
                            "  lipizz report runs/... --output mine.html\n",
                 .groups = {report_options},
                 .processes = Processes::kOne,
                 .run = report_command},
    CommandEntry{
        .words = "lineage",
        .arguments = "RUN [CELL]",
        .summary = "Says what a network of a run descends from; without CELL, of the best cell.",
        .details = "  lipizz lineage runs/...\n"
                   "  lipizz lineage runs/... 1,2 --generation 40 --network discriminator\n"
                   "  lipizz lineage runs/... --mixture --json\n",
        .groups = {lineage_options},
        .run = lineage_command},
    CommandEntry{
        .words = "replay",
        .arguments = "RUN",
        .summary = "Computes what a run was at the end of a generation again, to the same bits.",
        .details = "Of the other cells it computes what those depend on, and no more.\n\n"
                   "  lipizz replay runs/... --generation 40 --cell 1,2 --dry-run\n"
                   "  lipizz replay runs/... --generation 40 --cell 1,2\n",
        .groups = {replay_options},
        .processes = Processes::kOne,
        .run = replay_command},
    CommandEntry{.words = "generate",
                 .arguments = "RUN",
                 .summary = "Makes samples of a finished run: images, an array, a sheet.",
                 .details =
                     "The same command makes the same bytes, and leaves the run as it was.\n\n"
                     "  lipizz generate runs/... --number 1000 --output digits\n"
                     "  lipizz generate runs/... --number 50000 --output digits.npy --seed 2\n"
                     "  lipizz generate runs/... --between 3,8 --between 1,4\n"
                     "  lipizz generate runs/... --number 20 --nearest 5\n",
                 .groups = {generate_options},
                 .processes = Processes::kOne,
                 .run = generate_command},
    CommandEntry{
        .words = "ensemble",
        .arguments = "RUN...",
        .summary = "Makes the ensemble of finished runs' generators that scores best.",
        .details = "Chooses and weighs the generators of the runs' mixtures, and writes a folder "
                   "that generate and\nevaluate take like a run's. The runs stay as they were.\n\n"
                   "  lipizz ensemble runs/a runs/b --output both\n"
                   "  lipizz ensemble runs/a runs/b --size 5 --weighting pattern-search "
                   "--output five\n",
        .groups = {ensemble_options},
        .processes = Processes::kOne,
        .run = ensemble_command},
    CommandEntry{.words = "watch",
                 .arguments = "RUN",
                 .summary = "Shows a run that goes on, here or elsewhere.",
                 .details = "Reads the files in the run's folder alone, and leaves the run as it "
                            "is. Ends when the run does,\nwith exit code 0 where that has "
                            "finished and 75 otherwise.\n\n"
                            "  lipizz watch runs/...\n"
                            "  lipizz watch --once runs/...\n",
                 .groups = {watch_options},
                 .processes = Processes::kOne,
                 .run = watch_command},
    CommandEntry{.words = "doctor",
                 .summary = "Says what this machine offers a run, and what is wrong with it.",
                 .details = "Looks at MPI, cores, load, memory, GPUs, data, folders, scheduler "
                            "and terminal; takes a few seconds.\nEnds with exit code 2 where "
                            "something would stop a run of these settings.\n\n"
                            "  lipizz doctor\n"
                            "  lipizz doctor --grid 4x4 --dataset mnist --data-dir data\n",
                 .groups = {experiment_options},
                 .run = doctor_command},
    CommandEntry{.words = "config check",
                 .arguments = "FILE",
                 .summary = "Says whether FILE is valid.",
                 .run = check_config_command},
    CommandEntry{
        .words = "config print",
        .summary = "Prints the effective configuration.",
        .details = "  lipizz config print --grid 3x3 --set generator.loss=mse > mine.json\n",
        .groups = {experiment_options},
        .run = print_config_command},
    CommandEntry{.words = "config reference",
                 .summary = "Prints docs/configuration.md.",
                 .run = reference_command},
    CommandEntry{
        .words = "tune",
        .arguments = "FILE",
        .summary = "Measures the model's convolutions and writes FILE for convolution_table.",
        .details = "  lipizz tune table.json --set model=dcgan64\n"
                   "  lipizz launch --set model=dcgan64 --set convolution_table=table.json ...\n",
        .groups = {experiment_options},
        .processes = Processes::kOne,
        .run = tune_command},
    CommandEntry{
        .words = "compare",
        .arguments = "RUN...",
        .summary = "Compares runs: their settings, scores, times and fingerprints.",
        .details =
            "A folder of runs stands for all below it. The lowest score comes first; runs that\n"
            "differ in the seed alone are also shown by their mean.\n\n"
            "  lipizz compare runs\n"
            "  lipizz compare runs --output runs.html\n"
            "  lipizz compare runs/a runs/b --against runs/a\n",
        .groups = {compare_options},
        .run = compare_command},
    CommandEntry{.words = "evaluate",
                 .arguments = "[RUN...]",
                 .summary = "Scores a run, or anybody's samples or features, by every metric.",
                 .details =
                     "A run by samples of its final mixture, or files against a dataset: each "
                     "score with its\nstandard error and what as many real samples have. No "
                     "network is needed.\n\n"
                     "  lipizz evaluate runs/...\n"
                     "  lipizz evaluate --dataset mnist --samples images/\n"
                     "  lipizz evaluate --dataset mnist --samples mine.npy --range 0..1\n"
                     "  lipizz evaluate --features real.npy generated.npy\n",
                 .groups = {evaluate_options},
                 .processes = Processes::kOne,
                 .run = evaluate_command},
    CommandEntry{.words = "sweep plan",
                 .arguments = "FILE",
                 .summary = "Says what a sweep will run, and how long that takes.",
                 .details = "  lipizz sweep plan configs/sweeps/ring8-rates.json\n",
                 .groups = {sweep_options, sweep_plan_options},
                 .processes = Processes::kOne,
                 .run = plan_sweep_command},
    CommandEntry{.words = "sweep run",
                 .arguments = "FILE",
                 .summary = "Trains the runs of a sweep that are left, here or in Slurm.",
                 .details = "Any number of these, on any hosts that see the sweep's folder, train "
                            "it together.\n\n"
                            "  lipizz sweep run configs/sweeps/ring8-rates.json --jobs 2\n"
                            "  lipizz sweep run configs/sweeps/ring8-rates.json --slurm\n",
                 .groups = {sweep_options, sweep_run_options},
                 .processes = Processes::kOne,
                 .run = run_sweep_command},
    CommandEntry{.words = "sweep status",
                 .arguments = "FILE",
                 .summary = "Says which runs of a sweep are finished, and who has which.",
                 .groups = {sweep_options},
                 .processes = Processes::kOne,
                 .run = sweep_status_command},
    CommandEntry{.words = "sweep report",
                 .arguments = "FILE",
                 .summary = "Shows a sweep's figures, and writes them as files.",
                 .groups = {sweep_options, sweep_report_options},
                 .processes = Processes::kOne,
                 .run = report_sweep_command},
    CommandEntry{.words = "list",
                 .arguments = "[KIND]",
                 .summary = "Lists what settings can name; without KIND, the kinds.",
                 .groups = {list_options},
                 .run = list_command},
    CommandEntry{.words = "help",
                 .arguments = "[COMMAND...]",
                 .summary = "Says more about a command; so does COMMAND --help.",
                 .run = help_command},
    CommandEntry{.words = "version",
                 .summary = "Prints the version; so does --version.",
                 .run = version_command},
};

// The first two words where they are nearer to a command than the first alone, else that one.
std::string nearest_words(std::span<const std::string> words,
                          const std::vector<std::string>& known) {
  const std::string one = words.front();
  const std::string two = join(words.first(std::min<std::size_t>(words.size(), 2)), " ");
  const auto distance = [&](const std::string& asked) {
    const std::string best = nearest(asked, known);
    return best.empty() ? SIZE_MAX : edit_distance(asked, best);
  };
  return distance(two) < distance(one) ? two : one;
}

// The commands of several words, one of which is `word`.
std::vector<std::string> commands_with(const std::string& word) {
  std::vector<std::string> found;
  for (const CommandEntry& entry : kCommands) {
    const std::vector<std::string> words = split(entry.words, ' ');
    if (words.size() > 1 && std::ranges::find(words, word) != words.end()) {
      found.emplace_back(entry.words);
    }
  }
  return found;
}

// The end of the message about an unknown command: one that is near, those that the word is a part
// of, or the option of that name.
std::string meant_command(const std::string& asked, const std::vector<std::string>& known) {
  const std::vector<std::string> whole = commands_with(asked);
  if (whole.size() == 1) return did_you_mean(whole.front());
  if (!whole.empty()) return "; there are " + join(whole);
  if (nearest(asked, known).empty() && all_options().find_nothrow(asked, false) != nullptr) {
    return did_you_mean("--" + asked);
  }
  return suggestion(asked, known);
}

// The command that the words begin with; null when they begin with none.
const CommandEntry* named_by(std::span<const std::string> words) {
  const auto* const found = std::ranges::find_if(kCommands, [&](const CommandEntry& entry) {
    return join(words.first(std::min(n_words_of(entry), words.size())), " ") == entry.words;
  });
  return found == kCommands.end() ? nullptr : found;
}

std::vector<std::string> in_our_words(std::span<const std::string> words) {
  std::vector<std::string> ours;
  for (const std::string& word : words) ours.push_back(our_word_for(word));
  return ours;
}

}  // namespace

std::span<const CommandEntry> commands() {
  return kCommands;
}

std::size_t n_words_of(const CommandEntry& entry) {
  const std::string_view words = entry.words;
  return 1 + static_cast<std::size_t>(std::ranges::count(words, ' '));
}

const CommandEntry& find_command(std::span<const std::string> words) {
  if (const CommandEntry* entry = named_by(words)) return *entry;
  std::vector<std::string> known;
  for (const CommandEntry& entry : kCommands) known.emplace_back(entry.words);
  if (const CommandEntry* meant = named_by(in_our_words(words))) {
    const std::string asked = join(words.first(n_words_of(*meant)), " ");
    throw ConfigError("there is no command \"" + asked + "\"" + did_you_mean(meant->words));
  }
  const std::string asked = nearest_words(words, known);
  throw ConfigError("there is no command \"" + shortened(asked) + "\"" +
                    meant_command(asked, known));
}

std::vector<const CommandEntry*> find_commands(std::span<const std::string> words) {
  if (named_by(words) != nullptr) return {named_by(words)};
  std::vector<const CommandEntry*> found;
  for (const CommandEntry& entry : kCommands) {
    const bool is_first_word = std::string_view(entry.words).starts_with(words.front() + " ");
    if (words.size() == 1 && is_first_word) found.push_back(&entry);
  }
  return found.empty() ? std::vector{&find_command(words)} : found;
}

bool starts_mpirun(const CommandEntry& entry) {
  return std::string_view(entry.arguments).starts_with("[-- ");
}

std::vector<std::string> arguments_of(const CommandEntry& entry,
                                      std::span<const std::string> rest) {
  const std::string_view shown = entry.arguments;
  const bool has_any = !shown.empty() && !starts_mpirun(entry);
  const std::vector<std::string> wanted = has_any ? split(shown, ' ') : std::vector<std::string>();
  const std::string command = entry.words;
  const bool takes_more = shown.find("...") != std::string_view::npos;
  if (rest.size() > wanted.size() && !takes_more) {
    throw ConfigError(command + ": unexpected argument \"" + shortened(rest[wanted.size()]) + "\"");
  }
  if (rest.size() < wanted.size() && !wanted[rest.size()].starts_with('[')) {
    throw ConfigError(command + ": expected " + wanted[rest.size()]);
  }
  return {rest.begin(), rest.end()};
}

}  // namespace lipizz::app
