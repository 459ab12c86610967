#include "master/tensorboard_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;
using tensorboard::EventFile;
using Figures = std::vector<report::Named>;

// In nats; 0: one generator makes all samples.
double entropy(const std::vector<report::MetricsLine::Member>& mixture) {
  double sum = 0;
  for (const auto& [cell, weight] : mixture) sum -= weight > 0 ? weight * std::log(weight) : 0;
  return sum;
}

void append(Figures& figures, const std::string& group, const Figures& more) {
  for (const auto& [name, value] : more) figures.push_back({group + "/" + name, value});
}

// A cell's generation by tags.
Figures figures_of(const report::MetricsLine& line) {
  Figures figures{{"score", line.score},
                  {"generator/loss", line.generator.loss},
                  {"generator/rate", line.generator.rate},
                  {"discriminator/loss", line.discriminator.loss},
                  {"discriminator/rate", line.discriminator.rate},
                  {"mixture/entropy", entropy(line.mixture)}};
  append(figures, "details", line.details);
  append(figures, "seconds", line.seconds);
  std::erase_if(figures, [](const report::Named& figure) { return !std::isfinite(figure.value); });
  return figures;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TensorboardLog::TensorboardLog(const fs::path& run, const grid::Torus& torus, Generation start,
                               Surroundings surroundings)
    : run_(run), torus_(torus), start_(start), surroundings_(std::move(surroundings)) {}

void TensorboardLog::open() {
  if (grid_) return;
  const fs::path folder = run_ / "tensorboard";
  const auto file_in = [&](const fs::path& place) {
    return EventFile(place, std::int64_t{start_} + 1, surroundings_.now);
  };
  if (torus_.cells() <= kMostCells) {
    for (CellId cell; cell.value < torus_.cells(); ++cell.value) {
      const std::string name = fmt::format("cell-{}-{}", torus_.row(cell), torus_.column(cell));
      cells_.emplace(cell, file_in(folder / name));
    }
  }
  floor_.emplace(file_in(folder / "floor"));
  grid_.emplace(file_in(folder / "grid"));
}

void TensorboardLog::guard(const std::function<void()>& write) {
  if (has_failed_) return;
  try {
    open();
    write();
  } catch (const CheckpointError& error) {
    has_failed_ = true;
    cells_.clear();
    floor_.reset();
    grid_.reset();
    surroundings_.warning(std::string("nothing more is written for TensorBoard: ") + error.what());
  }
}

void TensorboardLog::add(const MetricsLog::Completed& completed, double floor) {
  guard([&] {
    std::map<std::string, std::vector<double>> figures;
    for (const std::string& line : completed.lines) add_cell(line, figures);
    for (const auto& [tag, values] : figures) {
      if (tag != "score") grid_->add(tag, mean_of(values));
    }
    if (const auto scores = figures.find("score"); scores != figures.end()) {
      grid_->add("score", std::ranges::min(scores->second));
      grid_->add("score/mean", mean_of(scores->second));
      grid_->add("score/worst", std::ranges::max(scores->second));
      grid_->add("cells/score", histogram_of(scores->second));
      floor_->add("score", floor);
    }
    floor_->write(completed.generation);
    grid_->write(completed.generation);
  });
}

void TensorboardLog::add_cell(const std::string& line,
                              std::map<std::string, std::vector<double>>& figures) {
  const auto parsed = report::parse_metrics_line(line, torus_);
  if (!parsed) return;  // no line of ours
  const auto file = cells_.find(parsed->cell);
  for (const auto& [tag, value] : figures_of(*parsed)) {
    figures[tag].push_back(value);
    if (file != cells_.end()) file->second.add(tag, value);
  }
  if (file != cells_.end()) file->second.write(parsed->generation);
}

void TensorboardLog::add(const comm::TaskDone& done) {
  guard([&] {
    const bool is_drawn = !done.file.empty();
    if (is_drawn && done.kind == comm::TaskKind::kImprovedSheet) {
      add_picture("samples/best", done.file);
    }
    if (is_drawn && done.kind == comm::TaskKind::kFinalFiles) {
      add_picture("samples/final", done.file);
      add_picture("samples/grid", "samples/grid.png");
    }
    for (const comm::TaskDone::Weights& weights : done.weights) {
      grid_->add(weights.tensor, weights.histogram);
    }
    grid_->write(done.generation);
  });
}

// A picture that is too large for it, or was removed meanwhile, is no reason to end all of it.
void TensorboardLog::add_picture(const std::string& tag, const std::string& name) {
  try {
    grid_->add(tag, tensorboard::read_picture(run_ / name));
  } catch (const CheckpointError& error) {
    surroundings_.warning(std::string("TensorBoard is not shown a picture: ") + error.what());
  }
}

}  // namespace lipizz::master
