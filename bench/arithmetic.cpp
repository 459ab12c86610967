#include "arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_lines.hpp"
#include "nn/graph/convolution.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::bench {
namespace {

bool is_product(const nn::Graph& graph, nn::ValueId value) {
  constexpr std::array kProducts{&nn::kLinear, &nn::kMatmul, &nn::kConvolution,
                                 &nn::kTransposedConvolution, &nn::kConvolutionWeightGradient};
  return std::ranges::count(kProducts, graph.node(value).operation) != 0;
}

// A number that counts what is computed with it.
struct Counted {
  std::uint64_t* n_operations = nullptr;

  friend Counted operator+(Counted a, Counted) { return a.counted(); }
  friend Counted operator-(Counted a, Counted) { return a.counted(); }
  friend Counted operator*(float, Counted a) { return a.counted(); }
  Counted operator-() const { return *this; }  // a sign, which costs nothing where it is added

 private:
  [[nodiscard]] Counted counted() const {
    ++*n_operations;
    return *this;
  }
};

// Operations of a transform of a square in one direction and then in the other.
template <std::size_t n, class Transform>
double square_operations(const Transform& transform) {
  std::uint64_t n_operations = 0;
  nn::Line<Counted, n> line;
  line.fill({&n_operations});
  const std::size_t n_results = transform(line).size();
  return static_cast<double>(n_operations * (n + n_results));
}

// Each of one tile and channel, or of the weights of one input and output.
struct TransformOperations {
  double of_pixels, to_pixels, of_positions, to_positions, of_taps, to_taps;
};

template <class F>
TransformOperations transform_operations() {
  constexpr std::size_t n = F::kPoints;
  // Pixels that other tiles have added to.
  constexpr double kOverlap = n * n - F::kPositions * F::kPositions;
  return {
      .of_pixels = square_operations<n>([](const auto& line) { return F::of_pixels(line); }),
      .to_pixels =
          kOverlap + square_operations<n>([](const auto& line) { return F::to_pixels(line); }),
      .of_positions =
          square_operations<F::kPositions>([](const auto& line) { return F::of_positions(line); }),
      .to_positions = square_operations<n>([](const auto& line) { return F::to_positions(line); }),
      .of_taps = square_operations<F::kTaps>([](const auto& line) { return F::of_taps(line); }),
      .to_taps = square_operations<n>([](const auto& line) { return F::to_taps(line); })};
}

// Tiles of images [N, H, W, C].
double n_tiles(const nn::Shape& shape, std::size_t edge) {
  const auto along = [edge](std::size_t n) { return (n + edge - 1) / edge; };
  return static_cast<double>(shape[0] * along(shape[1]) * along(shape[2]));
}

// In groups the derivative by the image is a convolution of the positions (grouped_winograd.cpp).
template <class F>
Arithmetic winograd_arithmetic(const nn::Operation& operation, const nn::ConvolutionShape& shape) {
  const nn::Window& window = shape.window;
  const TransformOperations each = transform_operations<F>();
  const bool is_transposed = &operation == &nn::kTransposedConvolution;
  const bool turns = window.groups > 1 && is_transposed;
  const double tiles = n_tiles(turns ? shape.x : shape.y, F::kPositions);
  const double depth = window.stride * window.stride * shape.x[3];
  const double outputs = shape.y[3];
  const double n_weights = depth * outputs / window.groups;
  const double of_images =
      tiles * (turns ? depth * each.to_positions
                     : depth * (is_transposed ? each.to_pixels : each.of_pixels));
  const bool begins_with_positions = &operation != &nn::kConvolution;
  const double of_positions = tiles * outputs *
                              (turns                   ? each.of_pixels
                               : begins_with_positions ? each.of_positions
                                                       : each.to_positions);
  const bool is_gradient = &operation == &nn::kConvolutionWeightGradient;
  const double of_weights = n_weights * (is_gradient ? each.to_taps : each.of_taps);
  constexpr double kPoints = F::kPoints * F::kPoints;
  return {.products = 2 * kPoints * tiles * n_weights,
          .transforms = of_images + of_positions + of_weights};
}

// That of a convolution by its algorithm.
Arithmetic convolution_arithmetic(const nn::Graph& graph, nn::ValueId value) {
  using nn::ConvolutionAlgorithm;
  const nn::Node& node = graph.node(value);
  const nn::Operation& operation = *node.operation;
  const nn::ConvolutionShape shape = nn::convolution_shape(graph, value);
  const ConvolutionAlgorithm algorithm = node.attributes.algorithm;
  const bool is_filtered = (algorithm == ConvolutionAlgorithm::kWinograd ||
                            algorithm == ConvolutionAlgorithm::kWinograd4) &&
                           nn::fits(algorithm, operation, shape);
  if (!is_filtered) return {.products = static_cast<double>(graph.flops(value))};
  const std::size_t edge = algorithm == ConvolutionAlgorithm::kWinograd ? 2 : 4;
  const std::size_t n_taps = shape.window.kernel / shape.window.stride;
  return nn::with_filtering(edge, n_taps, [&](auto filtering) {
    return winograd_arithmetic<decltype(filtering)>(operation, shape);
  });
}

}  // namespace

double product_flops(const nn::Graph& graph) {
  std::uint64_t total = 0;
  for (const nn::ValueId value : graph.live_operations()) {
    if (is_product(graph, value)) total += graph.flops(value);
  }
  return static_cast<double>(total);
}

Arithmetic arithmetic_of(nn::Graph graph, const nn::Engine& engine) {
  if (engine.backend != nn::Backend::kOneDnn) return {.products = product_flops(graph)};
  nn::choose_algorithms(engine, graph);
  Arithmetic total;
  for (const nn::ValueId value : graph.live_operations()) {
    if (!is_product(graph, value)) continue;
    const Arithmetic found = nn::is_convolution(graph, value)
                                 ? convolution_arithmetic(graph, value)
                                 : Arithmetic{.products = static_cast<double>(graph.flops(value))};
    total.products += found.products;
    total.transforms += found.transforms;
  }
  return total;
}

}  // namespace lipizz::bench
