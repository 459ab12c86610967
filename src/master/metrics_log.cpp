#include "master/metrics_log.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace lipizz::master {

bool is_better(double score, CellId cell, double other_score, CellId other) {
  if (std::isnan(score) != std::isnan(other_score)) return std::isnan(other_score);
  if (score != other_score && !std::isnan(score)) return score < other_score;
  return cell < other;
}

MetricsLog::MetricsLog(std::filesystem::path path, std::uint32_t n_cells)
    : path_(std::move(path)), file_(path_), n_cells_(n_cells) {
  if (!file_) throw CheckpointError("cannot open " + path_.string());
}

std::vector<MetricsLog::Completed> MetricsLog::add(comm::Metrics metrics) {
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

void MetricsLog::write(const OneGeneration& lines) {
  for (const auto& [cell, metrics] : lines) file_ << metrics.line << '\n';
  if (!file_.flush())
    throw CheckpointError("cannot write " + path_.string() + "; is the disk full?");
}

}  // namespace lipizz::master
