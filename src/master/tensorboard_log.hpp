#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "comm/messages.hpp"
#include "core/ids.hpp"
#include "grid/torus.hpp"
#include "master/metrics_log.hpp"
#include "tensorboard/event_file.hpp"

namespace lipizz::master {

/// Shows a run to TensorBoard, in the folder RUN/tensorboard; docs/formats.md lists its
/// files and tags. It has a run of TensorBoard's for the grid as a whole, one for the floor, and
/// one for each cell, so that its charts show all cells over one another.
///
/// The grid's has the scores of the best cell, otherwise means over the cells, the pictures, and
/// the histograms. Cells are told of one by one in grids of at most kMostCells; of larger ones the
/// grid's run alone tells, whose size does not grow with them.
///
/// Nothing that happens to these files ends a run: after the first error, which is told, no more is
/// written. Used by one thread.
class TensorboardLog {
 public:
  static constexpr std::uint32_t kMostCells = 64;

  struct Surroundings {
    tensorboard::EventFile::Now now;                  // seconds since 1970
    std::function<void(const std::string&)> warning;  // tells people
  };

  /// `run` is the run's folder. Generations behind `start` are going to be told; what earlier files
  /// tell of them is void.
  TensorboardLog(const std::filesystem::path& run, const grid::Torus& torus, Generation start,
                 Surroundings surroundings);

  /// All cells have told of a generation; `floor` is what real samples score among themselves, NaN
  /// where it is not known.
  void add(const MetricsLog::Completed& completed, double floor);
  /// A worker has drawn pictures of a generation, which are files below the run's folder, or told
  /// of the weights of the cell that they show.
  void add(const comm::TaskDone& done);

 private:
  void open();
  void guard(const std::function<void()>& write);
  void add_cell(const std::string& line, std::map<std::string, std::vector<double>>& figures);
  void add_picture(const std::string& tag, const std::string& name);

  std::filesystem::path run_;
  grid::Torus torus_;
  Generation start_;
  Surroundings surroundings_;
  bool has_failed_ = false;
  std::optional<tensorboard::EventFile> grid_;  // nothing: before the first news
  std::optional<tensorboard::EventFile> floor_;
  std::map<CellId, tensorboard::EventFile> cells_;
};

}  // namespace lipizz::master
