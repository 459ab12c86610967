#include "master/metrics_lines.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "checkpoint/checked_line.hpp"
#include "checkpoint/source_file.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "master/set_aside.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

// The line after so many others.
bool is_in_its_place(const std::string& line, std::uint64_t n_before, std::uint32_t n_cells) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  return json.is_object() && json.value("generation", nlohmann::json()) == n_before / n_cells + 1 &&
         json.value("cell", nlohmann::json()) == n_before % n_cells;
}

std::uint64_t n_bytes_of(const fs::path& path, std::uint64_t n_lines) {
  std::ifstream file(path);
  std::uint64_t n_bytes = 0;
  std::uint64_t n_found = 0;
  for (std::string line; n_found < n_lines && std::getline(file, line) && !file.eof(); ++n_found) {
    n_bytes += line.size() + 1;
  }
  if (n_found == n_lines) return n_bytes;
  throw CheckpointError(path.string() + ": expected " + std::to_string(n_lines) +
                        " lines to go on from, found " + std::to_string(n_found));
}

}  // namespace

MetricsLines read_metrics_lines(const fs::path& path, std::uint32_t n_cells) {
  if (is_missing(path)) return {};
  const checkpoint::SourceFile readable(path);  // which tells why where it is not
  std::ifstream file(path);
  MetricsLines found;
  std::vector<std::uint64_t> damaged;
  std::uint64_t n_lines = 0;
  for (std::string line; std::getline(file, line) && !file.eof(); ++n_lines) {
    if (!checkpoint::is_whole(line)) {
      damaged.push_back(n_lines + 1);
      continue;
    }
    if (!is_in_its_place(line, n_lines, n_cells)) break;
    if ((n_lines + 1) % n_cells != 0) continue;
    found.generations = static_cast<Generation>((n_lines + 1) / n_cells);
    found.damaged = damaged;
  }
  return found;
}

void keep_metrics_lines(const fs::path& path, std::uint64_t n_lines) {
  const std::uint64_t n_kept = n_lines == 0 ? 0 : n_bytes_of(path, n_lines);
  std::error_code none;
  const std::uint64_t n_bytes = fs::file_size(path, none);
  if (none || n_bytes <= n_kept) return;
  const Bytes all = checkpoint::SourceFile(path).first(n_bytes);
  write_atomically(make_set_aside(path.parent_path()) / path.filename(),
                   std::span(all).subspan(n_kept));
  std::error_code failure;
  fs::resize_file(path, n_kept, failure);
  if (failure) throw CheckpointError("cannot shorten " + path.string() + ": " + failure.message());
}

}  // namespace lipizz::master
