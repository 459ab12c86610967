#pragma once

#include <limits>
#include <vector>

#include "report/history.hpp"

namespace lipizz::report {

/// Histories of runs that never were, for tests.

inline constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();

/// A line in which nothing was taken from anybody.
inline MetricsLine plain_line(std::uint32_t cell, Generation generation, double score = 1) {
  MetricsLine line;
  line.cell = {cell};
  line.generation = generation;
  line.score = score;
  line.generator = {.loss = 0.5, .rate = 0.25, .objective = "bce", .origin = {cell}};
  line.discriminator = {.loss = 1.5, .rate = 0.125, .objective = "", .origin = {cell}};
  line.mixture = {{{cell}, 1.0}};
  line.seconds = {{"gather", 0.5}, {"train", 2}};
  return line;
}

/// A row of cells with these scores in its generations.
inline History history_of_scores(const std::vector<std::vector<double>>& scores) {
  History history({1, static_cast<std::uint32_t>(scores.front().size())});
  for (Generation generation = 1; generation <= scores.size(); ++generation) {
    for (std::uint32_t cell = 0; cell < scores.front().size(); ++cell) {
      history.add(plain_line(cell, generation, scores[generation - 1][cell]));
    }
  }
  return history;
}

/// A row of cells whose generators each generation takes from these cells.
inline History history_of_origins(const std::vector<std::vector<std::uint32_t>>& origins) {
  History history({1, static_cast<std::uint32_t>(origins.front().size())});
  for (Generation generation = 1; generation <= origins.size(); ++generation) {
    for (std::uint32_t cell = 0; cell < origins.front().size(); ++cell) {
      MetricsLine line = plain_line(cell, generation);
      line.generator.origin = {origins[generation - 1][cell]};
      line.generator.is_replaced = line.generator.origin != line.cell;
      history.add(line);
    }
  }
  return history;
}

}  // namespace lipizz::report
