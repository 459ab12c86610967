#include "nn/base/loss.hpp"

#include <array>

#include "core/table.hpp"
#include "nn/base/loss_table.hpp"

namespace lipizz::nn {
namespace {

double mean(const Loss::Term& term, std::span<const float> logits) {
  double sum = 0;
  for (const float logit : logits) sum += static_cast<double>(term.value(logit));
  return sum / static_cast<double>(logits.size());
}

}  // namespace

std::span<const Loss> losses() {
  static const std::array kLosses =
      std::apply([](const auto&... row) { return std::array{Loss(row)...}; }, kLossTable);
  return kLosses;
}

LossId find_loss(std::string_view name) {
  const std::span<const Loss> table = losses();
  return static_cast<LossId>(&find_row(table, &Loss::name, name, "loss") - table.data());
}

double generator_loss(LossId loss, std::span<const float> fake_logits) {
  return mean(losses()[loss].generator, fake_logits);
}

double discriminator_loss(LossId loss, std::span<const float> real_logits,
                          std::span<const float> fake_logits) {
  return mean(losses()[loss].real, real_logits) + mean(losses()[loss].fake, fake_logits);
}

}  // namespace lipizz::nn
