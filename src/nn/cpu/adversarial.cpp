#include "nn/cpu/adversarial.hpp"

#include "nn/cpu/loss_kernel.hpp"
#include "nn/cpu/loss_terms.hpp"

namespace lipizz::nn {
namespace {

const Loss& chosen(const float* loss_id) {
  return losses()[static_cast<std::size_t>(*loss_id)];
}

void generator_loss(const LossNodes& n, const float* logits, const float* loss_id, float* out) {
  *out = mean_value(chosen(loss_id).generator, logits, n.n_rows);
}

void generator_loss_gradient(const LossNodes& n, const float* logits, const float* loss_id,
                             float* out) {
  mean_slope(chosen(loss_id).generator, logits, n.n_rows, out);
}

void discriminator_loss(const LossNodes& n, const float* logits, const float* loss_id, float* out) {
  const Loss& loss = chosen(loss_id);
  const std::uint32_t half = n.n_rows / 2;
  *out = mean_value(loss.real, logits, half) + mean_value(loss.fake, logits + half, half);
}

void discriminator_loss_gradient(const LossNodes& n, const float* logits, const float* loss_id,
                                 float* out) {
  const Loss& loss = chosen(loss_id);
  const std::uint32_t half = n.n_rows / 2;
  mean_slope(loss.real, logits, half, out);
  mean_slope(loss.fake, logits + half, half, out + half);
}

}  // namespace

std::span<const KernelEntry> adversarial_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kGeneratorLoss, make_loss<generator_loss>},
      {&kGeneratorLossGradient, make_loss<generator_loss_gradient>},
      {&kDiscriminatorLoss, make_loss<discriminator_loss>},
      {&kDiscriminatorLossGradient, make_loss<discriminator_loss_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
