#include "nn/cpu/adversarial.hpp"

#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/loss_terms.hpp"

namespace lipizz::nn {
namespace {

// The numbers that the terms of a loss are functions of.
struct Logits {
  const float* own;
  const float* other;  // of the other samples of the pairs; null: the loss is not relativistic
  float operator[](std::uint32_t i) const { return other == nullptr ? own[i] : own[i] - other[i]; }
};

// The operands of a loss of one network.
class Operands {
 public:
  Operands(const Graph& graph, ValueId value, float* const* values)
      : node_(graph.node(value)),
        n_rows_(graph.shape(node_.inputs[0])[0]),
        value_(value),
        values_(values) {}

  [[nodiscard]] const Loss& loss() const { return losses()[static_cast<std::size_t>(*input(1))]; }
  [[nodiscard]] float number() const { return node_.attributes.number; }
  [[nodiscard]] std::uint32_t n_rows() const { return n_rows_; }
  [[nodiscard]] const float* input(std::size_t i) const { return values_[node_.inputs[i].index]; }
  [[nodiscard]] float* result() const { return values_[value_.index]; }
  [[nodiscard]] Logits logits(const float* own, const float* other) const {
    return {own, loss().is_relativistic ? other : nullptr};
  }

 private:
  const Node& node_;
  std::uint32_t n_rows_;
  ValueId value_;
  float* const* values_;
};

struct GeneratorOperands : Operands {
  using Operands::Operands;
  [[nodiscard]] Logits fake() const {
    return {input(0), loss().is_relativistic ? input(2) : nullptr};
  }
};

// Real rows stand in front of as many fakes.
struct DiscriminatorOperands : Operands {
  using Operands::Operands;
  [[nodiscard]] std::uint32_t n() const { return n_rows() / 2; }
  [[nodiscard]] Logits real() const { return logits(input(0), input(0) + n()); }
  [[nodiscard]] Logits fake() const { return logits(input(0) + n(), input(0)); }
};

void scale(float* values, std::uint32_t n, float factor) {
  for (std::uint32_t i = 0; i < n; ++i) values[i] *= factor;
}

void generator_loss(const Graph& graph, ValueId value, float* const* values) {
  const GeneratorOperands o(graph, value, values);
  *o.result() = o.number() * mean_value(o.loss().generator, o.fake(), o.n_rows());
}

void generator_loss_gradient(const Graph& graph, ValueId value, float* const* values) {
  const GeneratorOperands o(graph, value, values);
  mean_slope(o.loss().generator, o.fake(), o.n_rows(), o.result());
  scale(o.result(), o.n_rows(), o.number());
}

void discriminator_loss(const Graph& graph, ValueId value, float* const* values) {
  const DiscriminatorOperands o(graph, value, values);
  *o.result() = o.number() * (mean_value(o.loss().real, o.real(), o.n()) +
                              mean_value(o.loss().fake, o.fake(), o.n()));
}

void discriminator_loss_gradient(const Graph& graph, ValueId value, float* const* values) {
  const DiscriminatorOperands o(graph, value, values);
  float* real = o.result();
  float* fake = o.result() + o.n();
  mean_slope(o.loss().real, o.real(), o.n(), real);
  mean_slope(o.loss().fake, o.fake(), o.n(), fake);
  scale(o.result(), o.n_rows(), o.number());
  if (!o.loss().is_relativistic) return;
  for (std::uint32_t i = 0; i < o.n(); ++i) {
    real[i] -= fake[i];
    fake[i] = -real[i];
  }
}

}  // namespace

std::span<const KernelEntry> adversarial_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kGeneratorLoss, make_function<generator_loss>},
      {&kGeneratorLossGradient, make_function<generator_loss_gradient>},
      {&kDiscriminatorLoss, make_function<discriminator_loss>},
      {&kDiscriminatorLossGradient, make_function<discriminator_loss_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
