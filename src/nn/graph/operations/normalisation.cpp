#include "nn/graph/operations/normalisation.hpp"

#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/operations/collective.hpp"
#include "nn/graph/operations/elementwise.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

bool are_statistics_of(const Shape& statistics, const Shape& x, const Attributes& attributes) {
  return statistics == Shape{attributes.groups, 2, x.back()} || statistics == Shape{1, 2, x.back()};
}

Shape statistics_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() >= 2 && in[0][0] % attributes.groups == 0, "statistics",
          in);
  return {attributes.groups, 2, in[0].back()};
}

Shape normalise_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 4 && in[0].size() >= 2 && are_statistics_of(in[1], in[0], attributes) &&
              in[2] == Shape{in[0].back()} && in[3] == in[2],
          "normalise", in);
  return in[0];
}

// The sums over each group, added up: what scale and shift get.
ValueId totals(Graph& g, ValueId sums) {
  const Shape shape = g.shape(sums);
  if (shape[0] == 1) return g.reshape(sums, {2 * shape[2]});
  return g.apply(kSumRows, {g.reshape(sums, {shape[0], 2 * shape[2]})});
}

void normalise_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId x = node.inputs[0];
  const ValueId statistics = node.inputs[1];
  const Node& source = g.node(statistics);
  if (source.operation != &kStatistics || source.inputs.front() != x) {
    throw InternalError("the derivative of normalising by other statistics is not planned");
  }
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  Attributes attributes = node.attributes;
  attributes.activation = Activation::kNone;
  const ValueId sums = g.apply(kNormaliseSums, {dz, x, statistics}, attributes);
  const std::uint32_t n = g.shape(x).back();
  if (request.is_wanted(2) || request.is_wanted(3)) {
    const ValueId both = totals(g, sums);
    if (request.is_wanted(2)) request.give(2, g.slice(both, 0, {n}));
    if (request.is_wanted(3)) request.give(3, g.slice(both, n, {n}));
  }
  if (request.is_wanted(0)) {
    request.give(
        0, g.apply(kNormaliseGradient, {dz, x, statistics, node.inputs[2], sums}, attributes));
  }
}

// The sums of all parts of a batch, of all ranks, in their order: [k, n] in rows of a slot -> [n].
// The rows stay as they are: the gradients of scale and shift lie in them.
ValueId sum_of_parts(Graph& g, SlotId rows, std::uint32_t k, std::uint32_t n,
                     Collectives* collectives) {
  if (collectives != nullptr) {
    return g.apply(kAllReduce, {g.view(rows, 0, {k, n})}, {.collectives = collectives});
  }
  ValueId sum = g.view(rows, 0, {n});
  for (std::uint32_t i = 1; i < k; ++i) {
    sum = g.apply(kAdd, {sum, g.view(rows, std::size_t{i} * n, {n})});
  }
  return sum;
}

// The parts of a batch are normalised by statistics of all of it: the sums of all go into each
// part's derivative. A part's kernel divides them by its own number of rows instead of that of all.
void joint_normalise_gradient(std::span<const GradientRequest> parts) {
  Graph& g = parts.front().graph;
  const Node last = g.node(parts.back().result);
  const Attributes plain{.groups = last.attributes.groups, .number = last.attributes.number};
  const Shape of_sums = g.shape(last.inputs[1]);
  const auto n = static_cast<std::uint32_t>(n_elements(of_sums));
  const auto k = static_cast<std::uint32_t>(parts.size());
  const SlotId rows = g.add_slot("sums", std::size_t{k} * n, Slot::Access::kInternal);
  std::vector<ValueId> all_dz;
  for (const GradientRequest& part : parts) {
    const std::vector<ValueId> inputs = g.node(part.result).inputs;
    const ValueId dz = before_activation(g, *part.upstream, part.result);
    const ValueId sums = g.apply(kNormaliseSums, {dz, inputs[0], inputs[1]}, plain);
    const std::uint32_t n_channels = of_sums.back();
    if (part.is_wanted(2) || part.is_wanted(3)) {
      const ValueId both = totals(g, sums);
      if (part.is_wanted(2)) part.give(2, g.slice(both, 0, {n_channels}));
      if (part.is_wanted(3)) part.give(3, g.slice(both, n_channels, {n_channels}));
    }
    g.place(sums, rows, all_dz.size() * n);
    all_dz.push_back(dz);
  }
  if (!parts.front().is_wanted(0)) return;
  const ValueId sum = sum_of_parts(g, rows, k, n, last.attributes.collectives);
  for (std::size_t i = 0; i < k; ++i) {
    const std::vector<ValueId> inputs = g.node(parts[i].result).inputs;
    const std::size_t n_rows = n_elements(g.shape(inputs[0])) / of_sums.back() / of_sums.front();
    const float share = static_cast<float>(n_rows) / static_cast<float>(last.attributes.shape[0]);
    const ValueId factor = g.apply(kFill, {}, {.shape = {n}, .number = share});
    const ValueId sums = g.reshape(multiply(g, sum, factor), of_sums);
    parts[i].give(
        0, g.apply(kNormaliseGradient, {all_dz[i], inputs[0], inputs[1], inputs[2], sums}, plain));
  }
}

Shape pool_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 4 && in[0][2] == 2 && attributes.shape.size() == 1 &&
              attributes.shape[0] >= in[0][0],
          "pool_statistics", in);
  return {in[0][1], 2, in[0][3]};
}

// Chan et al., "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
template <class T>
void pool_statistics(const Values<T>& v) {
  const auto [n_parts, groups, two, n] =
      std::tuple{v.shape(0)[0], v.shape(0)[1], v.shape(0)[2], v.shape(0)[3]};
  const std::size_t of_part = std::size_t{groups} * two * n;
  for (std::size_t i = 0; i < std::size_t{groups} * n; ++i) {
    const std::size_t mean_at = i / n * two * n + i % n;
    const auto sum = [&](const auto& of) {
      double total = 0;
      for (std::uint32_t part = 0; part < n_parts; ++part) {
        const T* const its = v.data(0) + part * of_part + mean_at;
        const double share = share_of_part(v.attributes().shape[0], n_parts, part);
        total += share * of(static_cast<double>(its[0]), static_cast<double>(its[n]));
      }
      return total;
    };
    const double mean = sum([](double its_mean, double) { return its_mean; });
    v.data()[mean_at] = static_cast<T>(mean);
    v.data()[mean_at + n] = static_cast<T>(sum([&](double its_mean, double variance) {
      return variance + (its_mean - mean) * (its_mean - mean);
    }));
  }
}

Shape sums_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 3 && in[0] == in[1] && are_statistics_of(in[2], in[1], attributes),
          "normalise_sums", in);
  return {attributes.groups, 2, in[0].back()};
}

Shape normalise_gradient_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 5 && in[0] == in[1] && are_statistics_of(in[2], in[1], attributes) &&
              in[3] == Shape{in[0].back()} && in[4] == in[2],
          "normalise_gradient", in);
  return in[0];
}

// The derivative of dx = scale * rate * (dz - mean(dz) - x^ mean(dz x^)), taken through statistics
// and sums: it is symmetric in dz and what multiplies it.
void second_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId h = *request.upstream;
  const auto [dz, x, statistics, scale, sums] =
      std::tuple{node.inputs[0], node.inputs[1], node.inputs[2], node.inputs[3], node.inputs[4]};
  if (g.node(statistics).operation != &kStatistics) {
    throw InternalError("the second derivative of normalising by other statistics is not planned");
  }
  const Shape of_scale = g.shape(scale);
  const ValueId h_sums = g.apply(kNormaliseSums, {h, x, statistics}, node.attributes);
  if (request.is_wanted(0)) {
    request.give(0,
                 g.apply(kNormaliseGradient, {h, x, statistics, scale, h_sums}, node.attributes));
  }
  if (request.is_wanted(1)) {
    const ValueId products = g.apply(kProductSums, {h, dz}, {.groups = node.attributes.groups});
    request.give(1,
                 g.apply(kNormaliseSecondDerivative,
                         {h, dz, x, statistics, scale, h_sums, sums, products}, node.attributes));
  }
  if (request.is_wanted(3)) {
    const ValueId ones = g.apply(kFill, {}, {.shape = of_scale, .number = 1});
    const ValueId unscaled =
        g.apply(kNormaliseGradient, {dz, x, statistics, ones, sums}, node.attributes);
    request.give(3, g.reshape(g.apply(kProductSums, {h, unscaled}), of_scale));
  }
}

Shape second_derivative_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 8 && in[0] == in[1] && in[1] == in[2] &&
              are_statistics_of(in[3], in[2], attributes) && in[4] == Shape{in[2].back()} &&
              in[5] == in[3] && in[6] == in[3] && in[7] == Shape{in[3][0], in[3][2]},
          "normalise_second_derivative", in);
  return in[0];
}

std::uint64_t few_flops(Shapes in, const Attributes&) {
  return 4ULL * n_elements(in[0]);
}

// The means of a value's channels and 1 / their standard deviations, for each of its rows.
template <class T>
struct Moments {
  // statistics: [groups, 2, C]
  Moments(ArrayMap<T> statistics, Eigen::Index n_rows, T epsilon)
      : mean(of_each(statistics, 0, n_rows)),
        rate((of_each(statistics, 1, n_rows) + epsilon).sqrt().inverse()) {}

  // Rows of pairs [groups, 2, C]: the first or the second of each, for `n_rows` rows.
  static Array<T> of_each(ArrayMap<T> pairs, Eigen::Index which, Eigen::Index n_rows) {
    const Eigen::Index n = n_rows / (pairs.rows() / 2);
    return Array<T>::NullaryExpr(n_rows, pairs.cols(), [&](Eigen::Index i, Eigen::Index j) {
      return pairs(i / n * 2 + which, j);
    });
  }

  Array<T> mean, rate;
};

// The mean, then the mean square of what is left, of each group, in double.
template <class T>
void statistics(const Values<T>& v) {
  const Array<double> x = v.array(0).template cast<double>();
  auto out = v.array();
  const Eigen::Index n = x.rows() / v.attributes().groups;
  for (Eigen::Index g = 0; g < v.attributes().groups; ++g) {
    const auto group = x.middleRows(g * n, n);
    const Array<double> mean = group.colwise().mean();
    out.row(2 * g) = mean.row(0).template cast<T>();
    out.row(2 * g + 1) =
        (group.rowwise() - mean.row(0)).square().colwise().mean().template cast<T>();
  }
}

template <class T>
void normalise(const Values<T>& v) {
  const auto x = v.array(0);
  const Moments<T> of(v.array(1), x.rows(), v.number());
  const Array<T> scaled = ((x - of.mean) * of.rate).rowwise() * v.array(2).row(0);
  v.array() =
      (scaled.rowwise() + v.array(3).row(0)).unaryExpr([kind = v.attributes().activation](T z) {
        return activate(kind, z);
      });
}

template <class T>
void normalise_sums(const Values<T>& v) {
  const auto dz = v.array(0);
  const auto x = v.array(1);
  const Moments<T> of(v.array(2), x.rows(), v.number());
  const Eigen::Index groups = v.shape()[0];
  const Eigen::Index n = v.shape()[2];
  using EachSecond = Eigen::Map<Array<T>, 0, Eigen::OuterStride<>>;
  const Eigen::OuterStride<> two_rows(2 * n);
  sum_groups((dz * (x - of.mean) * of.rate).eval(), EachSecond(v.data(), groups, n, two_rows));
  sum_groups(dz, EachSecond(v.data() + n, groups, n, two_rows));
}

template <class T>
void normalise_gradient(const Values<T>& v) {
  const auto dz = v.array(0);
  const auto x = v.array(1);
  const Moments<T> of(v.array(2), x.rows(), v.number());
  const T n = static_cast<T>(x.rows()) / static_cast<T>(v.shape(2)[0]);
  const Array<T> products = Moments<T>::of_each(v.array(4), 0, x.rows());
  const Array<T> sums = Moments<T>::of_each(v.array(4), 1, x.rows());
  const Array<T> centred = dz - sums / n - (x - of.mean) * of.rate * products / n;
  v.array() = (of.rate * centred).rowwise() * v.array(3).row(0);
}

// With r = 1 / standard deviation, x^ = (x - mean) r, n rows in a group, a = sum of h x^, b = sum
// of dz x^, c = sum of h dz - sum of h * sum of dz / n - a b / n, scale s: r (v - mean(v) - x^
// mean(v x^)) - s r^2 c x^ / n, where v = -s r (h b + dz a) / n.
template <class T>
void second_derivative(const Values<T>& v) {
  const auto x = v.array(2);
  const Eigen::Index rows = x.rows();
  const Moments<T> of(v.array(3), rows, v.number());
  const T n = static_cast<T>(rows) / static_cast<T>(v.shape(3)[0]);
  const Array<T> normalised = (x - of.mean) * of.rate;
  const Array<T> a = Moments<T>::of_each(v.array(5), 0, rows);
  const Array<T> b = Moments<T>::of_each(v.array(6), 0, rows);
  const Array<T> sum_h = Moments<T>::of_each(v.array(5), 1, rows);
  const Array<T> sum_dz = Moments<T>::of_each(v.array(6), 1, rows);
  const Array<T> c = repeated(v.array(7), rows) - sum_h * sum_dz / n - a * b / n;
  const Array<T> factor = repeated(v.array(4), rows) * of.rate / n;
  const Array<T> w = -factor * (v.array(0) * b + v.array(1) * a);
  const Array<T> mean_w = -factor * (sum_h * b + sum_dz * a) / n;
  const Array<T> mean_product = -factor * (2 * a * b) / n;
  v.array() =
      of.rate * (w - mean_w - normalised * mean_product) - factor * of.rate * c * normalised;
}

// Images x [6, 3, 5, C] in groups, of which `of(x, pairs [groups, 2, C], C)` makes the inputs.
template <class Of>
std::vector<Example> examples_of(const Of& of) {
  std::vector<Example> all;
  for (const std::uint32_t groups : {1U, 2U}) {
    for (const std::uint32_t channels : {1U, 5U, 33U}) {
      for (const Shape& x : {Shape{6, 3, 5, channels}, Shape{100, channels}}) {
        all.push_back({of(x, Shape{groups, 2, channels}, Shape{channels}),
                       {.groups = groups, .number = 1e-5f}});
      }
    }
  }
  return all;
}

using Inputs = std::vector<ExampleInput>;

ExampleInput positive(const Shape& shape) {
  return {shape, Drawn::kPositive};
}

std::vector<Example> normalise_examples() {
  std::vector<Example> all;
  for (const ActivationEntry& entry : activations()) {
    for (Example& example : examples_of([](const Shape&x, const Shape&pairs, const Shape&channels) {
           return Inputs{{x}, positive(pairs), {channels}, {channels}};
         })) {
      example.attributes.activation = entry.activation;
      all.push_back(std::move(example));
    }
  }
  return all;
}

}  // namespace

constinit const Operation kStatistics{
    .name = "statistics",
    .summary =
        "x [N, ..., C], its rows in `groups` equal groups -> mean and biased variance of "
        "each channel [groups, 2, C]",
    .shape = statistics_shape,
    .flops = few_flops,
    .reference = reference([](const auto& v) { statistics(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape&, const Shape&) { return Inputs{{x}}; });
    }};
constinit const Operation kPoolStatistics{
    .name = "pool_statistics",
    .summary =
        "statistics [parts, groups, 2, C] of the parts of a batch, which have shape[0] rows in "
        "all, as many each or the first ones one more -> those of the batch [groups, 2, C]",
    .shape = pool_shape,
    .flops = few_flops,
    .reference = reference([](const auto& v) { pool_statistics(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const std::uint32_t n_parts : {1U, 3U}) {
        for (const std::uint32_t groups : {1U, 2U}) {
          for (const std::uint32_t n : {1U, 5U, 33U}) {
            all.push_back({{positive({n_parts, groups, 2, n})}, {.shape = {2 * n_parts + 1}}});
          }
        }
      }
      return all;
    }};
constinit const Operation kNormalise{
    .name = "normalise",
    .summary =
        "x [N, ..., C], statistics of its `groups` or of all, scale [C], shift [C] -> "
        "activation((x - mean) / sqrt(variance + number) * scale + shift); of parts of a batch "
        "that "
        "are differentiated together, shape[0]: rows of a group, of all parts of all ranks of "
        "`collectives`",
    .shape = normalise_shape,
    .gradient = normalise_gradient,
    .joint_gradient = joint_normalise_gradient,
    .flops = few_flops,
    .reference = reference([](const auto& v) { normalise(v); }),
    .examples = normalise_examples};
constinit const Operation kNormaliseSums{
    .name = "normalise_sums",
    .summary =
        "dz, x, statistics -> sums of dz * normalised x and of dz by group and channel "
        "[groups, 2, C]",
    .shape = sums_shape,
    .flops = few_flops,
    .reference = reference([](const auto& v) { normalise_sums(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& pairs, const Shape&) {
        return Inputs{{x}, {x}, positive(pairs)};
      });
    }};
constinit const Operation kNormaliseGradient{
    .name = "normalise_gradient",
    .summary = "dz, x, its own statistics, scale, sums -> derivative by x",
    .shape = normalise_gradient_shape,
    .gradient = second_gradient,
    .flops = few_flops,
    .reference = reference([](const auto& v) { normalise_gradient(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& pairs, const Shape& channels) {
        return Inputs{{x}, {x}, positive(pairs), {channels}, {pairs}};
      });
    }};
constinit const Operation kNormaliseSecondDerivative{
    .name = "normalise_second_derivative",
    .summary =
        "h, dz, x, its own statistics, scale, normalise_sums of h and of dz, product_sums "
        "of both -> derivative by x of what h makes of normalise_gradient",
    .shape = second_derivative_shape,
    .flops = few_flops,
    .reference = reference([](const auto& v) { second_derivative(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& pairs, const Shape& channels) {
        return Inputs{{x},        {x},     {x},     positive(pairs),
                      {channels}, {pairs}, {pairs}, {{pairs[0], pairs[2]}}};
      });
    }};

std::span<const Operation* const> normalisation_operations() {
  static constexpr const Operation* kAll[] = {&kStatistics,        &kPoolStatistics,
                                              &kNormalise,         &kNormaliseSums,
                                              &kNormaliseGradient, &kNormaliseSecondDerivative};
  return kAll;
}

}  // namespace lipizz::nn
