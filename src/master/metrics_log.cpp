#include "master/metrics_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace lipizz::master {
namespace {

void keep_lines(const std::filesystem::path& path, std::uint64_t n_lines) {
  std::ifstream file(path);
  std::uint64_t n_bytes = 0;
  std::uint64_t n_found = 0;
  for (std::string line; n_found < n_lines && std::getline(file, line) && !file.eof(); ++n_found) {
    n_bytes += line.size() + 1;
  }
  std::error_code failure;
  if (n_found == n_lines) std::filesystem::resize_file(path, n_bytes, failure);
  if (n_found == n_lines && !failure) return;
  throw CheckpointError(path.string() + ": expected " + std::to_string(n_lines) +
                        " lines to go on from, found " + std::to_string(n_found));
}

}  // namespace

bool is_better(double score, CellId cell, double other_score, CellId other) {
  if (std::isnan(score) != std::isnan(other_score)) return std::isnan(other_score);
  if (score != other_score && !std::isnan(score)) return score < other_score;
  return cell < other;
}

MetricsLog::MetricsLog(std::filesystem::path path, std::uint32_t n_cells, Generation start)
    : path_(std::move(path)), n_cells_(n_cells), n_written_(start) {
  if (start > 0) keep_lines(path_, std::uint64_t{start} * n_cells);
  file_.open(path_, start > 0 ? std::ios::app : std::ios::trunc);
  if (!file_) throw CheckpointError("cannot open " + path_.string());
}

Generation MetricsLog::generations_in(const std::filesystem::path& path, std::uint32_t n_cells) {
  std::ifstream file(path);
  const auto n_lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  return static_cast<Generation>(n_lines / n_cells);
}

void MetricsLog::go_back() {
  waiting_.clear();
  n_repeated_ = n_written_;
}

std::vector<MetricsLog::Completed> MetricsLog::add(comm::Metrics metrics) {
  if (metrics.generation > 0 && metrics.generation <= n_repeated_) return {};
  const auto [cell, generation] = std::pair(metrics.cell, metrics.generation);
  const bool is_new = generation > n_written_ && cell.value < n_cells_ &&
                      waiting_[generation].try_emplace(cell, std::move(metrics)).second;
  if (!is_new) {
    throw CommError("unexpected metrics of cell " + std::to_string(cell.value) +
                    " for generation " + std::to_string(generation));
  }
  std::vector<Completed> completed;
  while (!waiting_.empty() && waiting_.begin()->first == n_written_ + 1 &&
         waiting_.begin()->second.size() == n_cells_) {
    const OneGeneration lines = std::move(waiting_.extract(waiting_.begin()).mapped());
    write(lines);
    ++n_written_;
    Completed done{n_written_, CellId{0}, lines.at({0}).score};
    for (const auto& [each, told] : lines) {
      if (is_better(told.score, each, done.score, done.best)) {
        done = {n_written_, each, told.score};
      }
    }
    completed.push_back(done);
  }
  return completed;
}

void MetricsLog::sync() {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fdatasync(descriptor);
  ::close(descriptor);
}

void MetricsLog::write(const OneGeneration& lines) {
  for (const auto& [cell, metrics] : lines) file_ << metrics.line << '\n';
  if (!file_.flush())
    throw CheckpointError("cannot write " + path_.string() + "; is the disk full?");
}

}  // namespace lipizz::master
