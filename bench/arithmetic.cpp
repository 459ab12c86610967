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

template <class Taps, std::size_t r>
TransformOperations transform_operations() {
  constexpr double kOverlap = (r + 1) * (r + 1) - 4;  // pixels that other tiles have added to
  return {
      .of_pixels = square_operations<r + 1>([](const auto& line) { return Taps::of_pixels(line); }),
      .to_pixels = kOverlap +
                   square_operations<r + 1>([](const auto& line) { return Taps::to_pixels(line); }),
      .of_positions =
          square_operations<2>([](const auto& line) { return Taps::of_positions(line); }),
      .to_positions =
          square_operations<r + 1>([](const auto& line) { return Taps::to_positions(line); }),
      .of_taps = square_operations<r>([](const auto& line) { return Taps::of_taps(line); }),
      .to_taps = square_operations<r + 1>([](const auto& line) { return Taps::to_taps(line); })};
}

// Tiles of 2x2 positions of images [N, H, W, C].
double n_tiles(const nn::Shape& shape) {
  return static_cast<double>(shape[0]) * ((shape[1] + 1) / 2) * ((shape[2] + 1) / 2);
}

// In groups the derivative by the image is a convolution of the positions (grouped_winograd.cpp).
Arithmetic winograd_arithmetic(const nn::Operation& operation, const nn::ConvolutionShape& shape) {
  const nn::Window& window = shape.window;
  const std::size_t n_taps = window.kernel / window.stride;
  const TransformOperations each = n_taps == 2 ? transform_operations<nn::TwoTaps, 2>()
                                               : transform_operations<nn::ThreeTaps, 3>();
  const bool is_transposed = &operation == &nn::kTransposedConvolution;
  const bool turns = window.groups > 1 && is_transposed;
  const double tiles = n_tiles(turns ? shape.x : shape.y);
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
  const auto n_points = static_cast<double>((n_taps + 1) * (n_taps + 1));
  return {.products = 2 * n_points * tiles * n_weights,
          .transforms = of_images + of_positions + of_weights};
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
    const nn::Node& node = graph.node(value);
    const bool is_filtered =
        nn::is_convolution(graph, value) &&
        node.attributes.algorithm == nn::ConvolutionAlgorithm::kWinograd &&
        nn::fits(node.attributes.algorithm, *node.operation, nn::convolution_shape(graph, value));
    const Arithmetic found =
        is_filtered ? winograd_arithmetic(*node.operation, nn::convolution_shape(graph, value))
                    : Arithmetic{.products = static_cast<double>(graph.flops(value))};
    total.products += found.products;
    total.transforms += found.transforms;
  }
  return total;
}

}  // namespace lipizz::bench
