#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "core/growing_file.hpp"

namespace lipizz::master {

/// True when a score of `cell` is better than that of `other`: the lower one is; a NaN loses; ties
/// go to the lower cell.
bool is_better(double score, CellId cell, double other_score, CellId other);

/// metrics.jsonl: the lines of all cells, sorted by generation and cell, each with its checksum
/// (checkpoint/checked_line.hpp). A generation is written as soon as the last of its cells has
/// told.
class MetricsLog {
 public:
  struct Completed {
    Generation generation;
    CellId best;
    double score;                      // of the best cell; NaN when no cell has one
    bool has_diverged;                 // in every cell
    std::vector<std::string> lines{};  // of all cells, in order, as they were written
  };

  /// Goes on behind the lines of the generations up to `start`; those that follow them are set
  /// aside (master/metrics_lines.hpp). CheckpointError when the file cannot be opened or has not so
  /// many.
  MetricsLog(const std::filesystem::path& path, std::uint32_t n_cells, Generation start);

  /// All cells train again what follows some earlier generation: what is not written yet will come
  /// again, and so will some of what is, which is then passed over.
  void go_back();
  /// The newest generation of which all lines are written.
  [[nodiscard]] Generation written() const { return n_written_; }

  /// Returns the generations that are complete now, in order. CommError when the cell is none or
  /// has told before, or its line is no JSON object; CheckpointError when it cannot be written. On
  /// a full disk lines wait for room, which file().shortage() tells.
  std::vector<Completed> add(comm::Metrics metrics);
  /// Puts what is written on the disk. CheckpointError, also where lines still wait for room.
  void sync() { file_.sync(); }
  /// The file: where its name is gone, its content is still there.
  [[nodiscard]] const GrowingFile& file() const { return file_; }

 private:
  using OneGeneration = std::map<CellId, comm::Metrics>;
  static Completed summed_up(Generation generation, const OneGeneration& lines);
  [[nodiscard]] std::vector<std::string> write(const OneGeneration& lines);

  GrowingFile file_;
  std::uint32_t n_cells_;
  Generation n_written_;
  Generation n_repeated_ = 0;  // up to here lines may come again
  std::map<Generation, OneGeneration> waiting_;
};

}  // namespace lipizz::master
