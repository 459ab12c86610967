#include "nn/base/loss.hpp"

#include <array>

#include "core/table.hpp"
#include "nn/base/loss_table.hpp"

namespace lipizz::nn {

std::span<const Loss> losses() {
  static const std::array kLosses =
      std::apply([](const auto&... row) { return std::array{Loss(row)...}; }, kLossTable);
  return kLosses;
}

LossId find_loss(std::string_view name) {
  const std::span<const Loss> table = losses();
  return static_cast<LossId>(&find_row(table, &Loss::name, name, "loss") - table.data());
}

}  // namespace lipizz::nn
