#include "app/experiment_file.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

// `configs/a.json` and `a` are both called `a.json` there.
fs::path name_there(const fs::path& name) {
  fs::path there = name.filename();
  if (there.extension() != ".json") there += ".json";
  return there;
}

bool may_come_along(const fs::path& name) {
  return name.has_filename() && (!name.has_parent_path() || name.parent_path() == "configs");
}

// Neither a file nor one of the experiments.
[[noreturn]] void fail_unknown(const fs::path& name) {
  std::vector<std::string> known;
  for (const fs::path& file : experiment_files()) known.push_back(file.stem());
  const std::string meant = nearest(name_there(name).stem().string(), known);
  throw ConfigError(
      "there is no configuration file " + shortened(name.string()) +
      (meant.empty() ? "; `lipizz list configs` has those that come along" : did_you_mean(meant)));
}

}  // namespace

std::optional<fs::path> experiments_folder() {
  std::error_code none;
  const fs::path bin = fs::read_symlink("/proc/self/exe", none).parent_path();
  const fs::path build = bin.parent_path().parent_path();
  for (const fs::path& folder :
       {bin.parent_path() / "share/lipizz/configs", build.parent_path() / "configs"}) {
    if (fs::is_directory(folder, none)) return folder;
  }
  return std::nullopt;
}

std::vector<fs::path> experiment_files() {
  std::vector<fs::path> files;
  std::error_code none;
  if (const auto folder = experiments_folder()) {
    for (const fs::directory_entry& entry : fs::directory_iterator(*folder, none)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

fs::path find_experiment_file(const fs::path& name) {
  std::error_code none;
  if (fs::is_directory(name, none)) {
    throw ConfigError("--config " + name.string() +
                      ": expected a file, found a folder; --resume goes on with the run in a "
                      "folder, and the config.json in it repeats that run");
  }
  if (!may_come_along(name) || fs::exists(name, none)) return name;
  const auto folder = experiments_folder();
  if (!folder) return name;
  const fs::path coming_along = *folder / name_there(name);
  if (fs::is_regular_file(coming_along, none)) return coming_along;
  // A link that leads nowhere is told of by whoever reads it.
  if (!name.has_parent_path() && !fs::is_symlink(fs::symlink_status(name, none)))
    fail_unknown(name);
  return name;
}

}  // namespace lipizz::app
