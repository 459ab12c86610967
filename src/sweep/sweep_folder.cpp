#include "sweep/sweep_folder.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/growing_file.hpp"
#include "core/host.hpp"
#include "core/text.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIdLength = 16;
constexpr std::string_view kStart = "# started ";
constexpr std::size_t kTimeLength = 20;  // 2026-01-31T12:00:00Z

// The last bytes of a file, from the beginning of a line; empty where it cannot be read.
std::string tail_of(const fs::path& path, std::streamoff n_bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - n_bytes));
  std::string text(static_cast<std::size_t>(std::min(size, n_bytes)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (size > n_bytes) text.erase(0, text.find('\n') + 1);
  return text;
}

bool is_id(std::string_view text) {
  return text.size() == kIdLength && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

std::map<std::string, fs::path> run_folders(const SweepFolder& folder) {
  std::map<std::string, fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator entry(folder.runs(), failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.size() <= kIdLength || name[name.size() - kIdLength - 1] != '-') continue;
    const std::string id = name.substr(name.size() - kIdLength);
    if (is_id(id)) found.emplace(id, entry->path());
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    throw CheckpointError("cannot read the folder " + folder.runs().string() + ": " +
                          failure.message() + "; check its permissions");
  }
  return found;
}

std::vector<report::FinishedRun> results_of(const fs::path& run) {
  std::vector<report::FinishedRun> results;
  std::error_code none;
  if (!fs::is_directory(run, none)) return results;
  const auto add = [&](const fs::path& folder) {
    if (auto result = report::read_finished_run(folder)) results.push_back(std::move(*result));
  };
  add(run);
  for (fs::directory_iterator entry(run, none), end; !none && entry != end; entry.increment(none)) {
    const bool is_set_aside = entry->path().filename().string().starts_with("set-aside-");
    if (is_set_aside && entry->is_directory(none)) add(entry->path());
  }
  std::ranges::sort(results, {}, &report::FinishedRun::generations);
  return results;
}

// Lines are written once all cells have told of a generation, so the last one is of a whole one.
Generation generation_reached(const fs::path& run, const grid::Torus& torus) {
  constexpr std::streamoff kTail = 1 << 16;
  Generation reached = 0;
  for (const std::string& line : split(tail_of(run / "metrics.jsonl", kTail), '\n')) {
    const auto parsed = report::parse_metrics_line(line, torus);
    if (parsed) reached = std::max(reached, parsed->generation);
  }
  return reached;
}

std::string last_words(const fs::path& log) {
  constexpr std::streamoff kTail = 1 << 14;
  constexpr std::string_view kProgram = "lipizz: ";
  std::string words;
  for (const std::string& line : split(tail_of(log, kTail), '\n')) {
    if (line.starts_with(kProgram) && !line.starts_with("lipizz: warning: ")) {
      words = line.substr(kProgram.size());
    }
  }
  return words;
}

std::string last_start(const fs::path& log) {
  constexpr std::streamoff kTail = 1 << 16;
  std::string when;
  for (const std::string& line : split(tail_of(log, kTail), '\n')) {
    if (line.starts_with(kStart)) when = line.substr(kStart.size(), kTimeLength);
  }
  return when;
}

void note_start(const fs::path& log, std::chrono::system_clock::time_point when,
                const std::string& command) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char time[kTimeLength + 1];
  std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &utc);
  make_folders(log.parent_path());
  GrowingFile file(log);
  file.append(std::string(kStart) + time + " on " + host_name() + ": " + command + "\n");
  file.sync();
}

}  // namespace lipizz::sweep
