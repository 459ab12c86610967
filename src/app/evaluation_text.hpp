#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "metrics/figure.hpp"

namespace lipizz::app {

/// Scores as `lipizz evaluate` shows them.
struct EvaluationText {
  std::string heading;  // what was scored against what
  struct Judge {
    std::string metric;
    std::uint64_t hash;
  };
  std::optional<Judge> judge;  // none: features of somebody's own
  std::uint64_t n_samples = 0;
  std::uint64_t n_floor_samples = 0;  // 0: there is no floor
  std::span<const metrics::Figure> figures;
};

/// The heading, and a table: name, value +- error, floor, and which way is better.
std::string evaluation_text(const EvaluationText& evaluation);

/// One JSON object: `what`, `samples`, `metric` and `judge` (null: none), `floor_samples`, and
/// `scores`, a list of {`name`, `value`, `error`, `floor`, `better`}; null stands for what is not
/// known or not a number. Numbers have all their digits.
std::string evaluation_json(const EvaluationText& evaluation);

}  // namespace lipizz::app
