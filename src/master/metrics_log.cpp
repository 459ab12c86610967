#include "master/metrics_log.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "checkpoint/checked_line.hpp"
#include "core/error.hpp"
#include "master/metrics_lines.hpp"

namespace lipizz::master {
namespace {

// With something in it.
bool is_object(const std::string& line) {
  return line.size() > 2 && line.front() == '{' && line.back() == '}';
}

GrowingFile opened(const std::filesystem::path& path, std::uint64_t n_lines) {
  keep_metrics_lines(path, n_lines);
  return GrowingFile(path);
}

}  // namespace

bool is_better(double score, CellId cell, double other_score, CellId other) {
  if (std::isnan(score) != std::isnan(other_score)) return std::isnan(other_score);
  if (score != other_score && !std::isnan(score)) return score < other_score;
  return cell < other;
}

MetricsLog::MetricsLog(const std::filesystem::path& path, std::uint32_t n_cells, Generation start)
    : file_(opened(path, std::uint64_t{start} * n_cells)), n_cells_(n_cells), n_written_(start) {}

void MetricsLog::go_back() {
  waiting_.clear();
  n_repeated_ = n_written_;
}

std::vector<MetricsLog::Completed> MetricsLog::add(comm::Metrics metrics) {
  if (metrics.generation > 0 && metrics.generation <= n_repeated_) return {};
  const auto [cell, generation] = std::pair(metrics.cell, metrics.generation);
  const bool is_new = generation > n_written_ && cell.value < n_cells_ && is_object(metrics.line) &&
                      waiting_[generation].try_emplace(cell, std::move(metrics)).second;
  if (!is_new) {
    throw CommError("unexpected metrics of cell " + std::to_string(cell.value) +
                    " for generation " + std::to_string(generation));
  }
  std::vector<Completed> completed;
  while (!waiting_.empty() && waiting_.begin()->first == n_written_ + 1 &&
         waiting_.begin()->second.size() == n_cells_) {
    const OneGeneration lines = std::move(waiting_.extract(waiting_.begin()).mapped());
    std::vector<std::string> written = write(lines);
    ++n_written_;
    completed.push_back(summed_up(n_written_, lines));
    completed.back().lines = std::move(written);
  }
  return completed;
}

MetricsLog::Completed MetricsLog::summed_up(Generation generation, const OneGeneration& lines) {
  Completed sum{generation, CellId{0}, lines.at({0}).score, true};
  for (const auto& [cell, told] : lines) {
    if (is_better(told.score, cell, sum.score, sum.best)) {
      sum.best = cell;
      sum.score = told.score;
    }
    sum.has_diverged = sum.has_diverged && told.has_diverged;
  }
  return sum;
}

std::vector<std::string> MetricsLog::write(const OneGeneration& lines) {
  std::vector<std::string> written;
  std::string text;
  for (const auto& [cell, metrics] : lines) {
    written.push_back(checkpoint::checked_line(metrics.line));
    text += written.back() + '\n';
  }
  file_.append(text);
  return written;
}

}  // namespace lipizz::master
