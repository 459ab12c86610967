#include "report/compared_run.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "config/json.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {
namespace {

// A line has under a kilobyte, so that the last whole one is among these bytes even where lines of
// the largest grids that have their neighbourhoods' ages are longer.
constexpr std::streamoff kTail = 64 << 10;

std::string end_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  const std::streamoff n = std::min(size, kTail);
  std::string text(static_cast<std::size_t>(n), '\0');
  file.seekg(size - n);
  file.read(text.data(), n);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

Generation last_generation(const std::filesystem::path& metrics_file, const grid::Torus& torus) {
  const std::string text = end_of(metrics_file);
  std::string_view rest(text);
  while (!rest.empty()) {
    rest.remove_suffix(rest.size() - std::min(rest.size(), rest.find_last_not_of('\n') + 1));
    const std::size_t begin = rest.rfind('\n') + 1;  // 0 where there is none
    if (const auto line = parse_metrics_line(rest.substr(begin), torus)) return line->generation;
    rest = rest.substr(0, begin);
  }
  return 0;
}

ComparedRun read_compared_run(const std::filesystem::path& folder) {
  ComparedRun run;
  run.folder = folder;
  config::apply_file(folder / "config.json", run.experiment);
  const config::Grid& grid = run.experiment.grid;
  const grid::Torus torus{grid.rows, grid.columns};
  run.result = read_finished_run(folder, torus);
  if (!run.result) run.reached = last_generation(folder / "metrics.jsonl", torus);
  return run;
}

}  // namespace lipizz::report
