#include "master/set_aside.hpp"

#include <string>
#include <system_error>

#include "core/durable_folder.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

void move(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (!failure || failure == std::errc::no_such_file_or_directory) return;
  throw CheckpointError("cannot move " + from.string() + " to " + to.string() + ": " +
                        failure.message());
}

void move_all(std::initializer_list<const char*> names, const fs::path& from, const fs::path& to) {
  for (const char* name : names) move(from / name, to / name);
  sync_folder(to);
  sync_folder(from);
}

}  // namespace

fs::path make_set_aside(const fs::path& run) {
  std::error_code unknown;  // whoever makes the folder will say so
  fs::path folder = run / "set-aside-1";
  for (int n = 2; fs::exists(fs::symlink_status(folder, unknown)); ++n) {
    folder = run / ("set-aside-" + std::to_string(n));
  }
  make_folder(folder);
  return folder;
}

fs::path set_progress_aside(const fs::path& run) {
  const fs::path folder = make_set_aside(run);
  move_all({"result.json", "mixture", "mixture-best", "checkpoints", "saved.json", "metrics.jsonl"},
           run, folder);
  return folder;
}

void set_result_aside(const fs::path& run) {
  if (is_missing(run / "result.json")) return;
  move_all({"result.json", "mixture"}, run, make_set_aside(run));
}

}  // namespace lipizz::master
