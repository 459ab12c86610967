#include "app/sweep_timing.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "app/child_process.hpp"
#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"
#include "report/event_reader.hpp"
#include "setup/settings.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;
using report::RunEvent;

constexpr Generation kGenerations = 3;
constexpr std::chrono::milliseconds kPauseOfTiming(10);

// A folder for one run, removed with all that is in it.
class Workshop {
 public:
  Workshop() : path_(fs::temp_directory_path() / ("lipizz-timing-" + random_id())) {
    std::error_code failure;
    if (!fs::create_directory(path_, failure)) {
      throw ConfigError("cannot make the folder " + path_.string() + ": " + failure.message() +
                        "; --no-timing leaves the timing run out");
    }
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The first generation waits for what is prepared meanwhile; the others are what more of them take.
Timing timing_of(const std::vector<RunEvent>& events, double seconds, Generation generations) {
  std::vector<double> ends;
  for (const RunEvent& event : events) {
    if (event.kind == RunEvent::Kind::kGeneration) ends.push_back(event.at_s);
  }
  Timing timing{.generations = generations, .seconds = seconds, .pace = {}};
  timing.pace.s_per_generation =
      ends.size() > 1 ? (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1)
                      : seconds / generations;
  timing.pace.s_per_start = std::max(0.0, seconds - generations * timing.pace.s_per_generation);
  return timing;
}

}  // namespace

std::optional<Timing> time_run(config::Experiment experiment, const CoreShare& share,
                               const std::function<bool()>& is_asked_to_stop) {
  const Workshop workshop;
  const fs::path run = workshop.path() / "run";
  const fs::path log = workshop.path() / "log";
  const fs::path configuration = workshop.path() / "config.json";
  experiment.generations = std::min(experiment.generations, kGenerations);
  if (experiment.compute.threads == 0) experiment.compute.threads = share.threads;
  write_atomically(configuration, config::to_json(experiment));
  const auto begin = std::chrono::steady_clock::now();
  ChildProcess child({fs::read_symlink("/proc/self/exe").string(), "train", "--quiet", "--config",
                      configuration.string(), "--output", run.string()},
                     {}, {.log = log, .cores = share.cores});
  std::optional<int> exit_code;
  while (!(exit_code = child.poll())) {
    if (is_asked_to_stop()) return std::nullopt;
    std::this_thread::sleep_for(kPauseOfTiming);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (*exit_code != 0) {
    throw ConfigError("the timing run failed with code " + std::to_string(*exit_code) + ": " +
                      sweep::last_words(log) + "; --no-timing leaves it out");
  }
  report::EventReader events(run / "events.jsonl", setup::torus_of(experiment));
  return timing_of(events.read(), seconds.count(), experiment.generations);
}

}  // namespace lipizz::app
