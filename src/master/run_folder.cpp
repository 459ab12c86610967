#include "master/run_folder.hpp"

#include <ctime>
#include <span>
#include <system_error>

#include "checkpoint/atomic_file.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw ConfigError("cannot make the output folder " + folder.string() + ": " + reason +
                    "; choose another one with --output");
}

}  // namespace

fs::path default_output_dir(const std::string& name, std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &utc);
  const std::string base = "runs/" + name + "-" + time;
  fs::path folder = base;
  for (int n = 2; fs::exists(folder); ++n) folder = base + "-" + std::to_string(n);
  return folder;
}

fs::path make_run_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  if (fs::exists(fs::symlink_status(absolute, failure))) {
    fail(absolute, "it exists already, and nothing is overwritten");
  }
  if (absolute.has_parent_path()) fs::create_directories(absolute.parent_path(), failure);
  if (failure) fail(absolute, failure.message());
  const bool made = fs::create_directory(absolute, failure);
  if (failure) fail(absolute, failure.message());
  if (!made) fail(absolute, "it exists already, and nothing is overwritten");
  return absolute;
}

void write_file(const fs::path& path, std::string_view text) {
  checkpoint::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace lipizz::master
