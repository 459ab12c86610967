#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lipizz::nn {

/// Index into losses(); part of a genome, so the order of that table is append only.
using LossId = std::uint32_t;

/// A GAN loss: what each network minimises, as functions of one logit l (D = sigmoid(l)); a batch's
/// loss is the mean over its rows, the discriminator's that of the real rows plus that of the
/// fakes.
///
/// With a relativistic loss (Jolicoeur-Martineau 2018) real and generated samples come in pairs,
/// row by row, and l is a sample's logit less that of the other one of its pair.
struct Loss {
  struct Term {
    float (*value)(float logit);
    float (*slope)(float logit);  // derivative of value
    double (*value_f64)(double logit);
    double (*slope_f64)(double logit);
  };
  std::string_view name;
  std::string_view summary;  // formula and source
  Term generator;            // on logits of generated samples
  Term real;                 // the discriminator's, on real samples
  Term fake;                 // the discriminator's, on generated samples
  bool is_relativistic = false;
};

/// Every loss there is.
std::span<const Loss> losses();

/// ConfigError naming the nearest when there is none.
LossId find_loss(std::string_view name);

}  // namespace lipizz::nn
