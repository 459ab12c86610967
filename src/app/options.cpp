#include "app/options.hpp"

#include <algorithm>

#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/synonyms.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

namespace po = boost::program_options;

// Where the library puts what is no option; not a name that one could type as an option.
constexpr const char* kWords = "command and its words";

std::string description_of(const SettingOption& option) {
  config::Experiment defaults;
  const std::vector<config::Field> fields = config::fields(defaults);
  const config::Field& field = *std::ranges::find(fields, option.path, &config::Field::path);
  return std::string(field.summary) + " Default: " + config::value_text(field);
}

std::string grid_description() {
  const config::Grid grid;
  return "Rows and columns of the grid. Default: " + std::to_string(grid.rows) + "x" +
         std::to_string(grid.columns);
}

std::vector<std::string> long_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back(option->long_name());
  return names;
}

// The option that alone begins with this letter; empty where there is none or several.
std::string only_one_with(char letter, const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& name) { return name.front() == letter; };
  if (std::ranges::count_if(known, begins) != 1) return {};
  return *std::ranges::find_if(known, begins);
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

// `--set data.batch_size=100`
std::string assignment_to(const config::Field& field) {
  std::string value = config::value_text(field);
  if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
  return "--set " + field.path + "=" + value;
}

// How the setting of this name, or the nearest, is set; empty where there is none.
std::string assignment_to_meant(const std::string& name) {
  config::Experiment defaults;
  const std::vector<config::Field> fields = config::fields(defaults);
  std::vector<std::string> names;
  for (const config::Field& field : fields) names.push_back(last_part(field.path));
  const std::string meant = nearest(name, names);
  for (const config::Field& field : fields) {
    const bool is_meant = !meant.empty() && last_part(field.path) == meant;
    if (field.path == name || is_meant) return assignment_to(field);
  }
  return {};
}

// The end of the message about an unknown option: an option, or the setting of that name.
std::string meant_option(const std::string& name) {
  const std::vector<std::string> known = long_names(all_options());
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  const std::string ours = our_word_for(bare);
  if (std::ranges::find(known, ours) != known.end()) return did_you_mean("--" + ours);
  if (ours == "cuda") return did_you_mean("--device cuda");
  const std::string option =
      bare.size() == 1 ? only_one_with(bare[0], known) : nearest(bare, known);
  if (!option.empty()) return did_you_mean("--" + option);
  const std::string assignment = assignment_to_meant(ours);
  return assignment.empty() ? assignment : did_you_mean(assignment);
}

}  // namespace

po::options_description experiment_options() {
  po::options_description options("The experiment");
  auto add = options.add_options();
  add("config", po::value<std::string>()->value_name("FILE"),
      "Reads settings from a JSON file, or from an experiment that comes along (`lipizz list "
      "configs`).");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Changes one setting, for example generator.loss=mse; repeatable. `lipizz list settings` has "
      "all.");
  add("grid", po::value<std::string>()->value_name("RxC"), grid_description().c_str());
  for (const SettingOption& option : kSettingOptions) {
    add(option.name, po::value<std::string>()->value_name(option.argument),
        description_of(option).c_str());
  }
  return options;
}

po::options_description run_options() {
  po::options_description options("The run");
  auto add = options.add_options();
  add("output", po::value<std::string>()->value_name("DIR"),
      "The run's folder, which must not exist yet. Default: runs/NAME-TIME-HOST-PROCESS");
  add("resume", po::value<std::string>()->value_name("RUN"),
      "Goes on with the run in this folder, on whatever ranks there are. Of its settings only "
      "--generations and those that change no result may be given.");
  add("from-seed", po::bool_switch(),
      "With --resume, where a run has saved generations and none of them can be used: begins again "
      "from the seed instead of refusing. What is there is set aside.");
  add("time-limit", po::value<std::string>()->value_name("TIME"),
      "Saves everything and leaves in time, with exit code 75: seconds, MM:SS, HH:MM:SS or "
      "D-HH:MM:SS. Default: what is left of a Slurm job.");
  add("dry-run", po::bool_switch(),
      "Prints placement and an estimate of memory, and trains nothing.");
  add("quiet", po::bool_switch(), "Prints no progress.");
  return options;
}

po::options_description launch_options() {
  po::options_description options("Launching");
  auto add = options.add_options();
  add("workers", po::value<std::string>()->value_name("N"),
      "Ranks that train. Default: one for each cell, or each GPU, or what the job has room for");
  add("spares", po::value<std::string>()->value_name("N"), "Ranks that wait. Default: 0");
  add("restarts", po::value<std::string>()->value_name("N"),
      "How often a job that died is started again before it has saved another generation. "
      "Default: 3");
  return options;
}

po::options_description report_options() {
  po::options_description options("Reporting");
  options.add_options()(
      "output", po::value<std::string>()->value_name("FILE"),
      "The page; one of lipizz that is there is replaced. Default: report.html in "
      "the run's folder");
  return options;
}

po::options_description compare_options() {
  po::options_description options("Comparing");
  auto add = options.add_options();
  add("against", po::value<std::string>()->value_name("RUN"),
      "Shows how all scores differ from this run's.");
  add("output", po::value<std::string>()->value_name("FILE.html"),
      "Writes a page as well, with the scores over generations.");
  return options;
}

po::options_description evaluate_options() {
  po::options_description options("Evaluating");
  auto add = options.add_options();
  add("dataset", po::value<std::string>()->value_name("NAME"), "What --samples are to be like.");
  add("samples", po::value<std::string>()->value_name("PATH"),
      "A folder of PNG or JPEG images, in the order of their names, or an .npy array of bytes or "
      "floats, N x H x W or N x H x W x C.");
  add("range", po::value<std::string>()->value_name("LOW..HIGH"),
      "What floats of images have for black and white: 0..1 or -1..1.");
  add("features", po::bool_switch(),
      "Scores features of your own: two .npy arrays of floats N x D, real and generated.");
  add("number", po::value<std::string>()->value_name("N"),
      "Scores the first N samples. Default: 10000, or all of files with fewer; all --features");
  add("seed", po::value<std::string>()->value_name("N"),
      "Of a run's samples, which are those of `lipizz generate`. Default: 1");
  add("best", po::bool_switch(), "Of a run, the best generation so far. Default: the end");
  add("data-dir", po::value<std::string>()->value_name("DIR"), "Where this machine has the data.");
  add("device", po::value<std::string>()->value_name("NAME"),
      "What a run's networks are computed with; scores are in any case computed alike. Default: "
      "cpu");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Computes a run's networks otherwise than the run did, for example numerics=avx2; "
      "repeatable.");
  add("json", po::bool_switch(), "Prints one JSON object, its numbers with all their digits.");
  return options;
}

po::options_description sweep_options() {
  po::options_description options("Sweeping");
  options.add_options()("output", po::value<std::string>()->value_name("DIR"),
                        "The sweep's folder. Default: runs/sweep-NAME");
  return options;
}

po::options_description sweep_plan_options() {
  po::options_description options("Planning a sweep");
  auto add = options.add_options();
  add("jobs", po::value<std::string>()->value_name("N"),
      "Runs at a time that the time is told for. Default: those of `sweep run`");
  add("no-timing", po::bool_switch(), "Leaves the timing run out.");
  return options;
}

po::options_description sweep_run_options() {
  po::options_description options("Running a sweep");
  auto add = options.add_options();
  add("jobs", po::value<std::string>()->value_name("N"),
      "Runs at a time, each with its share of the cores. Default: as many as fill the cores with a "
      "thread for each cell; 1 in each task of --slurm");
  add("retry", po::bool_switch(), "Tries again what has failed; not with --slurm.");
  add("leave-rest", po::bool_switch(),
      "Leaves when all that is left is in the hands of other processes, instead of waiting for "
      "them, as tasks of --slurm do in any case.");
  add("slurm", po::bool_switch(), "Trains in an array of Slurm's instead of here.");
  add("tasks", po::value<std::string>()->value_name("N"),
      "`--slurm`: tasks of the array. Default: one for each run that is left, at most 32");
  add("sbatch", po::value<std::vector<std::string>>()->value_name("OPTION")->composing(),
      "`--slurm`: an option for sbatch, for example --sbatch=--time=4:00:00; repeatable.");
  add("write-only", po::bool_switch(), "`--slurm`: writes the script and does not submit it.");
  return options;
}

po::options_description sweep_report_options() {
  po::options_description options("Reporting a sweep");
  options.add_options()(
      "curves", po::bool_switch(),
      "Writes curves.csv too, scores by generation and CPU second; reads all metrics.");
  return options;
}

po::options_description list_options() {
  po::options_description options("Listing");
  options.add_options()("verbose", po::bool_switch(),
                        "Of models, shows their layers, costs and memory.");
  return options;
}

po::options_description lineage_options() {
  po::options_description options("Lineage");
  auto add = options.add_options();
  add("generation", po::value<std::string>()->value_name("N"),
      "As of the end of this generation. Default: the newest");
  add("network", po::value<std::string>()->value_name("NAME"),
      "generator or discriminator. Default: generator");
  add("mixture", po::bool_switch(),
      "Of every generator of the cell's mixture, and where they meet.");
  add("json", po::bool_switch(), "Prints every ancestor, as JSON.");
  return options;
}

po::options_description replay_options() {
  po::options_description options("Replay");
  auto add = options.add_options();
  add("generation", po::value<std::string>()->value_name("N"),
      "As it was at the end of this generation.");
  add("cell", po::value<std::string>()->value_name("R,C"), "This cell alone. Default: all cells");
  add("from-seed", po::bool_switch(),
      "Begins at the seed, even where a generation that was saved is nearer.");
  add("output", po::value<std::string>()->value_name("DIR"),
      "A folder that does not exist yet. Default: RUN/replays/generation-N...");
  add("dry-run", po::bool_switch(), "Says how much it would be, and computes nothing.");
  add("data-dir", po::value<std::string>()->value_name("DIR"), "Where this machine has the data.");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Changes a setting that changes no result, for example threads=2; repeatable.");
  return options;
}

po::options_description generate_options() {
  po::options_description options("Generating");
  auto add = options.add_options();
  add("number", po::value<std::string>()->value_name("N"), "How many samples. Default: 100");
  add("seed", po::value<std::string>()->value_name("N"),
      "Of the samples; the same seed gives the same ones. Default: 1");
  add("format", po::value<std::string>()->value_name("NAME"),
      "png (a folder of files), npy, csv (points) or sheet (one picture). Default: by the name of "
      "the output; else png for images, npy for points, and sheet with --between, of images with "
      "--nearest");
  add("output", po::value<std::string>()->value_name("PATH"),
      "A file or folder that does not exist yet. Default: in the working folder, by the name of "
      "RUN");
  add("best", po::bool_switch(),
      "Of the best generation so far, which a run that goes on has, too. Default: of the end");
  add("class", po::value<std::string>()->value_name("C"),
      "Of this class alone, where the networks are told classes. Default: of all in turn");
  add("between", po::value<std::vector<std::string>>()->value_name("A,B")->composing(),
      "Along the great circle between the latents of two seeds, a row of the sheet; repeatable.");
  add("steps", po::value<std::string>()->value_name("N"),
      "Samples of such a row, its ends among them. Default: 10");
  add("nearest", po::value<std::string>()->value_name("K"),
      "Beside each sample the K training samples nearest to it.");
  add("data-dir", po::value<std::string>()->value_name("DIR"), "Where this machine has the data.");
  add("data-path", po::value<std::string>()->value_name("PATH"),
      "Where this machine has the files of one's own that the run learnt from.");
  add("device", po::value<std::string>()->value_name("NAME"),
      "What the networks are computed with. Default: cpu");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Computes otherwise than the run did, for example numerics=avx2; repeatable.");
  return options;
}

po::options_description ensemble_options() {
  po::options_description options("Making ensembles");
  auto add = options.add_options();
  add("output", po::value<std::string>()->value_name("DIR"),
      "The ensemble's folder, which must not exist yet.");
  add("size", po::value<std::string>()->value_name("N"),
      "The most members that it has. Default: as many as score best");
  add("weighting", po::value<std::string>()->value_name("NAME"),
      "How weights are found, as the setting `mixture` has it: a name of `lipizz list "
      "mixture-weightings`, or JSON with parameters. Default: genetic");
  add("number", po::value<std::string>()->value_name("N"),
      "Samples that each generator is scored by, and the ensemble afresh. Default: 10000");
  add("seed", po::value<std::string>()->value_name("N"),
      "Of these samples, and of the search. Default: 1");
  add("best", po::bool_switch(),
      "Of each run, the mixture of the best generation so far. Default: of the end");
  add("data-dir", po::value<std::string>()->value_name("DIR"), "Where this machine has the data.");
  add("data-path", po::value<std::string>()->value_name("PATH"),
      "Where this machine has the files of one's own that the runs learnt from.");
  add("device", po::value<std::string>()->value_name("NAME"),
      "What networks and scores are computed with. Default: cpu");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Computes otherwise than the first run did, for example numerics=avx2; repeatable.");
  return options;
}

po::options_description watch_options() {
  po::options_description options("Watching");
  options.add_options()("once", po::bool_switch(), "Shows the run as it is now, and leaves.");
  return options;
}

po::options_description general_options() {
  po::options_description options("General");
  options.add_options()("help,h", "Prints this.")("version", "Prints the version.");
  return options;
}

po::options_description all_options() {
  po::options_description all;
  for (const OptionGroup group : kOptionGroups) {
    const po::options_description options = group();
    for (const auto& option : options.options()) {
      if (all.find_nothrow(option->long_name(), false) == nullptr) all.add(option);
    }
  }
  return all;
}

std::string ParsedOptions::text(const std::string& name) const {
  return has(name) ? values[name].as<std::string>() : std::string();
}

std::vector<std::string> ParsedOptions::list(const std::string& name) const {
  return has(name) ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::vector<std::string> ParsedOptions::words() const {
  return list(kWords);
}

ParsedOptions parse_options(std::span<const std::string> arguments) {
  po::options_description options = all_options();
  options.add_options()(kWords, po::value<std::vector<std::string>>());
  po::positional_options_description words;
  words.add(kWords, -1);
  try {
    // Guessing would accept a misspelt option that happens to start like a known one.
    const auto typed =
        po::command_line_parser({arguments.begin(), arguments.end()})
            .options(options)
            .positional(words)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run();
    ParsedOptions parsed;
    po::store(typed, parsed.values);
    parsed.typed = typed.options;
    return parsed;
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    throw ConfigError(with_hint("there is no option " + shortened(name) + meant_option(name),
                                "`lipizz --help` lists all"));
  } catch (const po::error& error) {
    throw ConfigError(std::string(error.what()) + "; see `lipizz --help`");
  }
}

}  // namespace lipizz::app
