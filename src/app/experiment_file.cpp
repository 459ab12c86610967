#include "app/experiment_file.hpp"

#include <algorithm>
#include <system_error>

#include "core/error.hpp"

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
  return fs::is_regular_file(coming_along, none) ? coming_along : name;
}

}  // namespace lipizz::app
