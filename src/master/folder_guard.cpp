#include "master/folder_guard.hpp"

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "master/resumption.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfiguration = "config.json";
constexpr const char* kMetrics = "metrics.jsonl";

}  // namespace

FolderGuard::FolderGuard(const comm::RunPlan& run_plan, const config::Experiment& experiment,
                         const MetricsLog& metrics)
    : run_plan_(run_plan),
      experiment_(experiment),
      metrics_(metrics),
      folder_(run_plan.output_dir) {}

std::string FolderGuard::loss() const {
  std::string what = folder_.loss();
  const fs::path& path = folder_.path();
  if (what.empty() && (is_missing(path / kConfiguration) || is_missing(path / kMetrics))) {
    what = "was emptied";
  }
  return what.empty() ? what : fmt::format("the run's folder {} {}", path.string(), what);
}

void FolderGuard::tell_loss() const {
  const std::string lost = loss();
  if (!lost.empty()) throw CheckpointError(lost + " while the run went on; " + whereabouts());
}

std::string FolderGuard::whereabouts() const {
  try {
    const fs::path place = folder_.present();
    complete(place);
    const Resumption left = find_resumption(place, experiment_);
    if (left.start == 0) return "no generation of it is saved";
    return fmt::format("generation {} of {} is saved in {}; to go on: lipizz --resume {}",
                       left.start, experiment_.generations, left.folder.string(),
                       left.folder.string());
  } catch (const Error& error) {
    return std::string("nothing of it could be saved: ") + error.what();
  }
}

void FolderGuard::complete(const fs::path& place) const {
  if (is_missing(place / kConfiguration)) {
    write_atomically(place / kConfiguration, run_plan_.experiment);
  }
  if (is_missing(place / kMetrics)) write_atomically(place / kMetrics, metrics_.file().content());
}

}  // namespace lipizz::master
