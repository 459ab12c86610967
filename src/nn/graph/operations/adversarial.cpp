#include "nn/graph/operations/adversarial.hpp"

#include "nn/base/loss.hpp"
#include "nn/graph/operations/loss_terms.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape loss_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 2 && in[0][1] == 1 && n_elements(in[1]) == 1, "a loss",
          in);
  return {1};
}

Shape loss_gradient_shape(Shapes in, const Attributes& attributes) {
  loss_shape(in, attributes);
  return in[0];
}

template <class T>
const Loss& chosen(const Values<T>& v) {
  return losses()[static_cast<std::size_t>(*v.data(1))];
}

// Real rows stand in front of as many fakes.
template <class T>
void discriminator_loss(const Values<T>& v) {
  const Eigen::Index half = v.array(0).rows() / 2;
  *v.data() = mean_value<T>(chosen(v).real, v.array(0).topRows(half)) +
              mean_value<T>(chosen(v).fake, v.array(0).bottomRows(half));
}

template <class T>
void discriminator_loss_gradient(const Values<T>& v) {
  const Eigen::Index half = v.array(0).rows() / 2;
  v.array().topRows(half) = mean_slope<T>(chosen(v).real, v.array(0).topRows(half));
  v.array().bottomRows(half) = mean_slope<T>(chosen(v).fake, v.array(0).bottomRows(half));
}

// Every loss, of `unit` rows and more.
template <std::uint32_t unit>
std::vector<Example> examples() {
  std::vector<Example> all;
  for (std::uint32_t loss = 0; loss < losses().size(); ++loss) {
    for (const std::uint32_t n : {1U, 7U, 64U}) {
      all.push_back({{{{unit * n, 1}}, {.shape = {1}, .values = {static_cast<float>(loss)}}}});
    }
  }
  return all;
}

}  // namespace

constinit const Operation kGeneratorLoss{
    .name = "generator_loss",
    .summary = "logits of fakes [N, 1], loss id [1] -> mean loss [1]",
    .shape = loss_shape,
    .gradient = loss_gradient<kGeneratorLossGradient>,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      *v.data() = mean_value<T>(chosen(v).generator, v.array(0));
    }),
    .examples = examples<1>};
constinit const Operation kGeneratorLossGradient{
    .name = "generator_loss_gradient",
    .summary = "logits [N, 1], loss id [1] -> d mean loss / d logits",
    .shape = loss_gradient_shape,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      v.array() = mean_slope<T>(chosen(v).generator, v.array(0));
    }),
    .examples = examples<1>};
constinit const Operation kDiscriminatorLoss{
    .name = "discriminator_loss",
    .summary =
        "logits [2N, 1] (N real rows, then N fakes), loss id [1] -> mean real + mean fake "
        "loss [1]",
    .shape = loss_shape,
    .gradient = loss_gradient<kDiscriminatorLossGradient>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { discriminator_loss(v); }),
    .examples = examples<2>};
constinit const Operation kDiscriminatorLossGradient{
    .name = "discriminator_loss_gradient",
    .summary = "logits [2N, 1], loss id [1] -> d loss / d logits",
    .shape = loss_gradient_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { discriminator_loss_gradient(v); }),
    .examples = examples<2>};

std::span<const Operation* const> adversarial_operations() {
  static constexpr const Operation* kAll[] = {&kGeneratorLoss, &kGeneratorLossGradient,
                                              &kDiscriminatorLoss, &kDiscriminatorLossGradient};
  return kAll;
}

}  // namespace lipizz::nn
