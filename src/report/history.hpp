#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grid/torus.hpp"
#include "report/lineage.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {

/// The figures that are told of each cell in each generation.
enum class Figure : std::uint8_t {
  kScore,
  kGeneratorLoss,
  kGeneratorRate,
  kDiscriminatorLoss,
  kDiscriminatorRate
};
inline constexpr std::size_t kFigures = 5;

/// The metrics.jsonl of a run by cell and generation, with about a hundred bytes for each line.
class History {
 public:
  explicit History(grid::Torus torus) : torus_(torus) {}

  /// Takes a line; false, and it counts as damaged, where it cannot stand here: a file is sorted,
  /// so that a line is of a generation that those before it, damaged ones too, lead up to.
  bool add(const MetricsLine& line);
  /// A line stands here that cannot be read.
  void add_damaged() { ++n_damaged_; }

  [[nodiscard]] const grid::Torus& torus() const { return torus_; }
  /// The last generation that a line tells of; 0: there is none.
  [[nodiscard]] Generation generations() const { return generations_; }
  [[nodiscard]] std::uint64_t n_lines() const { return n_lines_; }
  [[nodiscard]] std::uint64_t n_damaged() const { return n_damaged_; }

  /// NaN where there is no line or no such figure in it. generation: 1 to generations().
  [[nodiscard]] float at(Figure figure, CellId cell, Generation generation) const;
  /// at() of all generations.
  [[nodiscard]] std::vector<float> series(Figure figure, CellId cell) const;

  /// The cell whose network of the generation before this one goes on in `cell`: itself where
  /// nothing was taken, or no line tells.
  [[nodiscard]] CellId parent(NetworkRole role, CellId cell, Generation generation) const;

  struct Member {
    CellId cell;
    float weight;
  };
  /// Empty where no line tells. Valid until the next add().
  [[nodiscard]] std::span<const Member> mixture(CellId cell, Generation generation) const;

  /// The best score of each generation: the lowest; NaN where there is none.
  [[nodiscard]] std::vector<float> best_scores() const;

  /// All that a cell's newest line tells, and the newest that has a score, which need not be the
  /// same; and the sums of its seconds by routine.
  struct Cell {
    std::optional<MetricsLine> newest, newest_scored;
    std::map<std::string, double> seconds;
  };
  /// An empty one where no line tells of the cell.
  [[nodiscard]] const Cell& cell(CellId cell) const;

 private:
  struct Entry {
    std::array<float, kFigures> figures;
    std::array<std::uint32_t, 2> parents;
    std::uint32_t n_members = 0;
    std::uint64_t first_member = 0;
  };

  [[nodiscard]] const Entry& entry(CellId cell, Generation generation) const;

  grid::Torus torus_;
  std::vector<Entry> entries_;  // by generation, then cell
  std::vector<Member> members_;
  std::map<CellId, Cell> cells_;  // that lines tell of, whatever the grid's size
  Generation generations_ = 0;
  std::uint64_t n_lines_ = 0;
  std::uint64_t n_damaged_ = 0;
};

/// A run's metrics.jsonl, as much of it as is whole; it need not be there. CheckpointError when it
/// cannot be read.
History read_history(const std::filesystem::path& file, const grid::Torus& torus);

/// The first generation with the best score of all, and its cell.
struct BestGeneration {
  Generation generation = 0;
  CellId cell;
  float score = 0;
};
/// Nothing where there are no scores.
std::optional<BestGeneration> best_generation(const History& history);

}  // namespace lipizz::report
