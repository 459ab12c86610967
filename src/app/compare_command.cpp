#include "app/compare_command.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "report/comparison.hpp"
#include "report/comparison_page.hpp"
#include "report/comparison_text.hpp"
#include "report/run_folders.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

// A page for reading has eighty; a terminal knows its own.
std::size_t width_of_output() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return kUsual;
  return size.ws_col == 0 ? kUsual : size.ws_col;
}

/// The runs that were found, and why others could not be read.
struct FoundRuns {
  std::vector<report::ComparedRun> runs;
  std::vector<Error> left_out;
};

FoundRuns read_runs(const std::vector<fs::path>& named) {
  FoundRuns found;
  for (const fs::path& folder : report::run_folders(named)) {
    try {
      found.runs.push_back(report::read_compared_run(folder));
    } catch (const Error& error) {
      if (std::ranges::find(named, folder) != named.end()) throw;
      found.left_out.push_back(error);
    }
  }
  return found;
}

std::optional<fs::path> path_of(const CommandLine& line, const std::string& option) {
  if (!line.given.has(option)) return std::nullopt;
  const std::string path = line.given.text(option);
  if (path.empty()) throw ConfigError("--" + option + ": expected a path, found \"\"");
  return path;
}

}  // namespace

int compare_command(const CommandLine& line, std::ostream& out) {
  const std::optional<fs::path> against = path_of(line, "against");
  std::vector<fs::path> named(line.arguments.begin(), line.arguments.end());
  if (against) {
    if (!report::is_run_folder(*against)) {
      throw ConfigError("--against: expected the folder of a run, found none at " +
                        against->string());
    }
    named.push_back(*against);
  }
  const std::optional<fs::path> page = path_of(line, "output");
  const FoundRuns found = read_runs(named);
  const report::Comparison comparison = report::compare(found.runs, against);
  if (page) report::write_comparison_page(comparison, *page);
  out << report::comparison_text(comparison, width_of_output());
  if (page) out << "\nwritten: " << page->string() << "\n";
  if (found.left_out.empty()) return static_cast<int>(ExitCode::kDone);
  out << "\nleft out\n";
  for (const Error& error : found.left_out) out << error.what() << "\n";
  return static_cast<int>(found.left_out.front().code());
}

}  // namespace lipizz::app
