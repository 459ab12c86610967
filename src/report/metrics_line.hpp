#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::report {

/// A name with its figure.
struct Named {
  std::string name;
  double value;
};

/// A line of metrics.jsonl: one cell, one generation; docs/architecture.md lists its
/// keys. A figure that was not finite, or not taken, is NaN.
struct MetricsLine {
  Generation generation = 0;
  CellId cell;
  double score = 0;  // lower is better
  std::vector<Named> details;
  std::vector<double> class_shares;
  struct Network {
    double loss = 0;
    double rate = 0;
    std::string objective;     // the loss that it trained with; empty of discriminators
    CellId origin;             // the cell whose centre of the generation before it was trained from
    bool is_replaced = false;  // false: the offspring was not taken; rate and objective are its own
    bool is_copied = false;    // nothing finite was at hand: a copy of the centre of `origin`
  };
  Network generator;
  Network discriminator;
  struct Member {
    CellId cell;
    double weight;
  };
  std::vector<Member> mixture;  // centre first
  struct Age {
    CellId neighbour;
    std::optional<std::int64_t> generations;  // none: it was left out
  };
  std::vector<Age> ages;       // of an asynchronous exchange
  std::vector<Named> seconds;  // by routine
};

/// Reads a line without its line break. Nothing where it is damaged (its checksum does not fit) or
/// tells of no cell of the grid.
std::optional<MetricsLine> parse_metrics_line(std::string_view line, const grid::Torus& torus);

}  // namespace lipizz::report
