#include "nn/base/penalty.hpp"

#include <array>

#include "core/table.hpp"
#include "nn/base/penalty_table.hpp"

namespace lipizz::nn {

std::span<const Penalty> penalties() {
  static const std::array kPenalties =
      std::apply([](const auto&... row) { return std::array{Penalty(row)...}; }, kPenaltyTable);
  return kPenalties;
}

const Penalty& find_penalty(std::string_view name) {
  return find_row(penalties(), &Penalty::name, name, "penalty");
}

}  // namespace lipizz::nn
