#pragma once

#include <array>
#include <boost/program_options.hpp>
#include <span>
#include <string>
#include <vector>

namespace lipizz::app {

/// An option that stands for one setting, and is described by it.
struct SettingOption {
  const char* name;      // without the dashes
  const char* argument;  // shown in the help
  const char* path;      // of the setting
};
inline constexpr std::array kSettingOptions{
    SettingOption{.name = "dataset", .argument = "NAME", .path = "data.dataset"},
    SettingOption{.name = "data-dir", .argument = "DIR", .path = "data.dir"},
    SettingOption{.name = "data-path", .argument = "PATH", .path = "data.path"},
    SettingOption{.name = "generations", .argument = "N", .path = "generations"},
    SettingOption{.name = "seed", .argument = "N", .path = "seed"},
    SettingOption{.name = "device", .argument = "NAME", .path = "device"},
    SettingOption{.name = "checkpoint-every", .argument = "TIME|N", .path = "checkpoint.every"},
};

/// The options by what they are about; a command reads whole groups of them. An option may stand in
/// several groups, with another meaning in each, but takes a value in all of them or in none.
boost::program_options::options_description experiment_options();
boost::program_options::options_description run_options();
boost::program_options::options_description launch_options();
boost::program_options::options_description sweep_options();
boost::program_options::options_description sweep_plan_options();
boost::program_options::options_description sweep_run_options();
boost::program_options::options_description sweep_report_options();
boost::program_options::options_description watch_options();
boost::program_options::options_description report_options();
boost::program_options::options_description compare_options();
boost::program_options::options_description evaluate_options();
boost::program_options::options_description lineage_options();
boost::program_options::options_description replay_options();
boost::program_options::options_description generate_options();
boost::program_options::options_description ensemble_options();
boost::program_options::options_description list_options();
boost::program_options::options_description general_options();

using OptionGroup = boost::program_options::options_description (*)();
/// Every group, in the order of the help.
inline constexpr auto kOptionGroups = std::to_array<OptionGroup>({
    experiment_options,
    run_options,
    launch_options,
    sweep_options,
    sweep_plan_options,
    sweep_run_options,
    sweep_report_options,
    watch_options,
    report_options,
    compare_options,
    evaluate_options,
    lineage_options,
    replay_options,
    generate_options,
    ensemble_options,
    list_options,
    general_options,
});
/// Every option once.
boost::program_options::options_description all_options();

/// The values that were typed, by the names of options.
struct ParsedOptions {
  boost::program_options::variables_map values;
  std::vector<boost::program_options::option> typed;  // each as it was typed

  [[nodiscard]] bool has(const std::string& name) const { return values.count(name) != 0; }
  [[nodiscard]] bool has_flag(const std::string& name) const { return values[name].as<bool>(); }
  /// Empty where the option was not given.
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// The arguments that are no options: a command and its words.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// ConfigError naming the nearest when an option is unknown, and where one lacks its value.
ParsedOptions parse_options(std::span<const std::string> arguments);

}  // namespace lipizz::app
