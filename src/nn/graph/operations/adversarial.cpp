#include "nn/graph/operations/adversarial.hpp"

#include "nn/base/loss.hpp"
#include "nn/graph/operations/loss_terms.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

bool is_column(const Shape& shape) {
  return shape.size() == 2 && shape[1] == 1;
}

Shape discriminator_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && is_column(in[0]) && n_elements(in[1]) == 1, "a loss", in);
  return {1};
}

Shape generator_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 || (in.size() == 3 && in[2] == in[0]), "a loss", in);
  return discriminator_shape(in.first(2), attributes);
}

template <auto loss_shape>
Shape gradient_shape(Shapes in, const Attributes& attributes) {
  loss_shape(in, attributes);
  return in[0];
}

template <class T>
const Loss& chosen(const Values<T>& v) {
  return losses()[static_cast<std::size_t>(*v.data(1))];
}

// The numbers that the generator's term is a function of.
template <class T>
Array<T> generated(const Values<T>& v) {
  if (!chosen(v).is_relativistic) return v.array(0);
  return v.array(0) - v.array(2);
}

// The numbers that the discriminator's terms are functions of; real rows stand in front of as many
// fakes.
template <class T>
struct BothLogits {
  explicit BothLogits(const Values<T>& v) {
    const Eigen::Index half = v.array(0).rows() / 2;
    real = v.array(0).topRows(half);
    fake = v.array(0).bottomRows(half);
    if (!chosen(v).is_relativistic) return;
    real -= v.array(0).bottomRows(half);
    fake -= v.array(0).topRows(half);
  }
  Array<T> real, fake;
};

template <class T>
void discriminator_loss(const Values<T>& v) {
  const BothLogits<T> logits(v);
  *v.data() = v.number() * (mean_value<T>(chosen(v).real, logits.real) +
                            mean_value<T>(chosen(v).fake, logits.fake));
}

template <class T>
void discriminator_loss_gradient(const Values<T>& v) {
  const BothLogits<T> logits(v);
  const Array<T> real = mean_slope<T>(chosen(v).real, logits.real);
  const Array<T> fake = mean_slope<T>(chosen(v).fake, logits.fake);
  const T other = chosen(v).is_relativistic ? T{1} : T{0};
  v.array().topRows(real.rows()) = v.number() * (real - other * fake);
  v.array().bottomRows(fake.rows()) = v.number() * (fake - other * real);
}

// Every loss, of `unit` rows and more; a relativistic generator's has the real ones' logits too.
template <std::uint32_t unit>
std::vector<Example> examples() {
  std::vector<Example> all;
  for (std::uint32_t loss = 0; loss < losses().size(); ++loss) {
    for (const std::uint32_t n : {1U, 7U, 64U}) {
      all.push_back({{{{unit * n, 1}}, {.shape = {1}, .values = {static_cast<float>(loss)}}},
                     {.number = n == 7 ? 0.25f : 1.0f}});
      if (unit == 1 && losses()[loss].is_relativistic) all.back().inputs.push_back({{n, 1}});
    }
  }
  return all;
}

}  // namespace

constinit const Operation kGeneratorLoss{
    .name = "generator_loss",
    .summary =
        "logits of fakes [N, 1], loss id [1], of relativistic losses the logits of real samples "
        "[N, 1] -> number * mean loss [1]; the first have a derivative",
    .shape = generator_shape,
    .gradient = loss_gradient<kGeneratorLossGradient>,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      *v.data() = v.number() * mean_value<T>(chosen(v).generator, generated(v));
    }),
    .examples = examples<1>};
constinit const Operation kGeneratorLossGradient{
    .name = "generator_loss_gradient",
    .summary = "as generator_loss -> d loss / d logits of fakes",
    .shape = gradient_shape<generator_shape>,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      v.array() = v.number() * mean_slope<T>(chosen(v).generator, generated(v));
    }),
    .examples = examples<1>};
constinit const Operation kDiscriminatorLoss{
    .name = "discriminator_loss",
    .summary =
        "logits [2N, 1] (N real rows, then N fakes), loss id [1] -> number * (mean real + mean "
        "fake loss) [1]",
    .shape = discriminator_shape,
    .gradient = loss_gradient<kDiscriminatorLossGradient>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { discriminator_loss(v); }),
    .examples = examples<2>};
constinit const Operation kDiscriminatorLossGradient{
    .name = "discriminator_loss_gradient",
    .summary = "logits [2N, 1], loss id [1] -> d loss / d logits",
    .shape = gradient_shape<discriminator_shape>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { discriminator_loss_gradient(v); }),
    .examples = examples<2>};

std::span<const Operation* const> adversarial_operations() {
  static constexpr const Operation* kAll[] = {&kGeneratorLoss, &kGeneratorLossGradient,
                                              &kDiscriminatorLoss, &kDiscriminatorLossGradient};
  return kAll;
}

}  // namespace lipizz::nn
