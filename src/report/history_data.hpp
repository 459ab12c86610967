#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/history.hpp"

namespace lipizz::report {

/// How much of a run a page may carry. A 8x8 grid has all its cells' series in 500 points each, and
/// 250 frames; larger ones have fewer.
struct HistoryLimits {
  std::size_t n_points = 500;            // of one series
  std::size_t n_points_in_all = 32'000;  // of one figure of all cells
  std::size_t n_series = 256;            // cells with a series of their own
  std::size_t n_frames = 500;
  std::size_t n_cells_of_frames = 16'000;  // frames times cells
};

/// The generations of which a page shows the whole grid: all, or evenly chosen ones with the first,
/// the last and `best` (0: none) among them. Empty where no generation is complete, and where the
/// grid is too large to be shown at all.
std::vector<Generation> frames_of(const History& history, Generation best,
                                  const HistoryLimits& limits);

/// The cells that have a series of their own: all, or evenly chosen ones with `best` among them.
std::vector<std::uint32_t> cells_with_series(const History& history, CellId best,
                                             const HistoryLimits& limits);

/// `series` of the page's data: of each of these cells each figure; and of all the best score.
std::string series_data(const History& history, const std::vector<std::uint32_t>& cells,
                        const HistoryLimits& limits);

/// `frames` of the page's data: `generations` in order, of each all cells' `score`, the newest that
/// each has by then, and their `mixture`: of each cell the place of its members' list in `members`,
/// then the weight of each in thousandths; empty where no line tells.
std::string frames_data(const History& history, const std::vector<Generation>& generations);

/// `lineage` of the page's data, of one network: `moves` of each of these cells' network at the
/// end, newest first, [generation, from, rate, loss] with the rate and loss that it had there
/// before; `founders` of each cell in each of these generations, `alive` (how many founders have
/// descendants), `taken`: [from, to, times], the most frequent 200 pairs, and `n_taken` of all.
std::string lineage_data(const History& history, NetworkRole role,
                         const std::vector<Generation>& generations,
                         const std::vector<std::uint32_t>& cells, const HistoryLimits& limits);

}  // namespace lipizz::report
