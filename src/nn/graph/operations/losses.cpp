#include "nn/graph/operations/losses.hpp"

#include "nn/base/penalty.hpp"
#include "nn/graph/operations/loss_terms.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape cross_entropy_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 2 && n_elements(in[1]) == in[0][0], "cross_entropy",
          in);
  return {1};
}

Shape cross_entropy_gradient_shape(Shapes in, const Attributes& attributes) {
  cross_entropy_shape(in, attributes);
  return in[0];
}

Shape penalty_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && n_elements(in[1]) == 1 && attributes.penalty != nullptr, "penalty", in);
  return {1};
}

Shape error_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]), "absolute_error", in);
  return {1};
}

// log(sum(exp(x))) of a row of logits, taken from its first to its last.
template <class Row>
typename Row::Scalar log_sum_exp(const Row& logits) {
  using T = typename Row::Scalar;
  const T highest = logits.maxCoeff();
  T sum = 0;
  for (const T x : logits) sum += math::exp(x - highest);
  return highest + math::log(sum);
}

template <class T>
void cross_entropy(const Values<T>& v) {
  const auto logits = v.array(0);
  double sum = 0;
  for (Eigen::Index i = 0; i < logits.rows(); ++i) {
    const auto label = static_cast<Eigen::Index>(v.data(1)[i]);
    sum += static_cast<double>(log_sum_exp(logits.row(i)) - logits(i, label));
  }
  *v.data() = static_cast<T>(sum / static_cast<double>(logits.rows()));
}

template <class T>
void cross_entropy_gradient(const Values<T>& v) {
  const auto logits = v.array(0);
  auto out = v.array();
  for (Eigen::Index i = 0; i < logits.rows(); ++i) {
    const T log_sum = log_sum_exp(logits.row(i));
    out.row(i) = logits.row(i).unaryExpr([log_sum](T x) { return math::exp(x - log_sum); });
    out(i, static_cast<Eigen::Index>(v.data(1)[i])) -= T{1};
    out.row(i) /= static_cast<T>(logits.rows());
  }
}

std::vector<Example> cross_entropy_examples() {
  std::vector<Example> all;
  for (const auto& [n, classes] : {std::pair{1U, 2U}, {7U, 10U}, {33U, 3U}, {5U, 100U}}) {
    all.push_back({{{{n, classes}}, {{n}, Drawn::kIndices, classes}}});
  }
  return all;
}

std::vector<Example> penalty_examples() {
  std::vector<Example> all;
  for (const Penalty& penalty : penalties()) {
    for (const std::uint32_t n : {1U, 7U, 64U}) {
      all.push_back({{{{n, 1}, Drawn::kPositive}, {.shape = {1}, .values = {0.25f}}},
                     {.number = 3, .number_change = -2, .penalty = &penalty}});
    }
  }
  return all;
}

// The weight of the penalty at this point of its schedule.
template <class T>
T weight(const Values<T>& v) {
  return v.number() + static_cast<T>(v.attributes().number_change) * *v.data(1);
}

template <class T>
void absolute_error(const Values<T>& v) {
  const double mean = (v.in_rows(1, 0) - v.in_rows(1, 1)).abs().template cast<double>().mean();
  *v.data() = static_cast<T>(static_cast<double>(v.number()) * mean);
}

template <class T>
void absolute_error_gradient(const Values<T>& v) {
  const auto sign = (v.in_rows(1, 0) - v.in_rows(1, 1)).sign();
  v.in_rows(1) = sign * (v.number() / static_cast<T>(sign.size()));
}

std::vector<Example> error_examples() {
  return {{{{{1, 1}}, {{1}}}, {.number = 10}},
          {{{{3, 5}}, {{15}}}, {.number = 10}},
          {{{{2, 7, 5, 3}}, {{2, 105}}}, {.number = 0.5f}}};
}

}  // namespace

constinit const Operation kCrossEntropy{
    .name = "cross_entropy",
    .summary = "logits [N, classes], labels [N] -> mean -log softmax at label [1]",
    .shape = cross_entropy_shape,
    .gradient = loss_gradient<kCrossEntropyGradient>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { cross_entropy(v); }),
    .examples = cross_entropy_examples};
constinit const Operation kCrossEntropyGradient{
    .name = "cross_entropy_gradient",
    .summary = "logits [N, classes], labels [N] -> d loss / d logits",
    .shape = cross_entropy_gradient_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { cross_entropy_gradient(v); }),
    .examples = cross_entropy_examples};
constinit const Operation kPenalty{
    .name = "penalty",
    .summary =
        "squared lengths [N, 1], progress of its schedule [1] -> (number + progress * "
        "number_change) * mean of the penalty's term [1]",
    .shape = penalty_shape,
    .gradient = loss_gradient<kPenaltyGradient>,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      *v.data() = weight(v) * mean_value<T>(v.attributes().penalty->term, v.array(0));
    }),
    .examples = penalty_examples};
constinit const Operation kPenaltyGradient{
    .name = "penalty_gradient",
    .summary = "squared lengths [N, 1], progress [1] -> derivative of penalty by the former",
    .shape = first_shape,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      v.array() = weight(v) * mean_slope<T>(v.attributes().penalty->term, v.array(0));
    }),
    .examples = penalty_examples};
constinit const Operation kAbsoluteError{
    .name = "absolute_error",
    .summary = "a, b of as many -> number * mean |a - b| [1]; a has a derivative",
    .shape = error_shape,
    .gradient = loss_gradient<kAbsoluteErrorGradient>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { absolute_error(v); }),
    .examples = error_examples};
constinit const Operation kAbsoluteErrorGradient{
    .name = "absolute_error_gradient",
    .summary = "a, b -> derivative of absolute_error by a",
    .shape = first_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { absolute_error_gradient(v); }),
    .examples = error_examples};

std::span<const Operation* const> losses_operations() {
  static constexpr const Operation* kAll[] = {&kCrossEntropy,  &kCrossEntropyGradient,
                                              &kPenalty,       &kPenaltyGradient,
                                              &kAbsoluteError, &kAbsoluteErrorGradient};
  return kAll;
}

}  // namespace lipizz::nn
