#include "report/run_folders.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;

bool has_file(const fs::path& folder, const char* name) {
  std::error_code none;
  return fs::is_regular_file(folder / name, none);
}

std::vector<fs::path> runs_below(const fs::path& folder, const std::string& path) {
  std::vector<fs::path> runs;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entry(folder, options, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (!entry->is_directory(none)) continue;
    if (is_run_folder(entry->path())) runs.push_back(entry->path());
    // A run keeps folders of its own inside.
    if (is_run_folder(entry->path()) || entry.depth() + 1 == kDeepest) {
      entry.disable_recursion_pending();
    }
  }
  if (error) throw ConfigError(path + ": cannot be searched for runs: " + error.message());
  std::ranges::sort(runs);
  return runs;
}

std::vector<fs::path> runs_at(const fs::path& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) {
    throw ConfigError("expected the folder of a run, or one with runs below it, found " +
                      std::string(fs::exists(path, none) ? "a file" : "nothing") + " at " +
                      path.string());
  }
  if (is_run_folder(path)) return {path};
  if (is_ensemble_folder(path)) {
    throw ConfigError("expected the folder of a run, found an ensemble of several at " +
                      path.string() + "; lipizz evaluate scores it beside its runs");
  }
  std::vector<fs::path> runs = runs_below(path, path.string());
  if (runs.empty()) {
    throw ConfigError("expected the folder of a run, or one with runs below it, found no " +
                      std::string("config.json at or below ") + path.string());
  }
  return runs;
}

}  // namespace

bool is_ensemble_folder(const fs::path& folder) {
  return has_file(folder, kEnsembleFile);
}

bool is_run_folder(const fs::path& folder) {
  return has_file(folder, "config.json") && !is_ensemble_folder(folder);
}

std::vector<fs::path> run_folders(std::span<const fs::path> named) {
  std::vector<fs::path> runs;
  std::set<fs::path> seen;
  for (const fs::path& path : named) {
    for (const fs::path& run : runs_at(path)) {
      std::error_code none;
      const fs::path real = fs::canonical(run, none);
      if (seen.insert(none ? run : real).second) runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace lipizz::report
