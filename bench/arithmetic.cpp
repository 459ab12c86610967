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

// Additions and multiplications, and the instructions of a processor for them that adds a product
// in one, with units for additions beside those for products.
struct Operations {
  double each = 0;
  double additions = 0;
  double products = 0;

  friend Operations operator+(const Operations& a, const Operations& b) {
    return {a.each + b.each, a.additions + b.additions, a.products + b.products};
  }
  friend Operations operator*(double n, const Operations& a) {
    return {n * a.each, n * a.additions, n * a.products};
  }
  // In the time of multiplications that are added up.
  [[nodiscard]] double flops() const { return 2 * std::max(additions, products); }
};

// A number that counts what is computed with it.
struct Counted {
  Operations* operations = nullptr;
  bool is_product = false;  // not made yet: whoever adds it makes it by the way

  friend Counted operator+(Counted a, Counted b) {
    ++a.operations->each;
    a.make();
    b.make();
    if (!a.is_product && !b.is_product) ++a.operations->additions;
    return {a.operations};
  }
  friend Counted operator-(Counted a, Counted b) { return a + b; }
  friend Counted operator*(float, Counted a) {
    ++a.operations->each;
    a.make();
    return {a.operations, true};
  }
  Counted operator-() const { return *this; }  // a sign, which costs nothing where it is added

  void make() const {
    if (is_product) ++operations->products;
  }
};

// Those of a transform of a square in one direction and then in the other.
template <std::size_t n, class Transform>
Operations square_operations(const Transform& transform) {
  Operations operations;
  nn::Line<Counted, n> line;
  line.fill({&operations});
  const auto results = transform(line);
  for (const Counted& result : results) result.make();
  return static_cast<double>(n + results.size()) * operations;
}

// Each of one tile and channel, or of the weights of one input and output.
struct TransformOperations {
  Operations of_pixels, to_pixels, of_positions, to_positions, of_taps, to_taps;
};

template <class F>
TransformOperations transform_operations() {
  constexpr std::size_t n = F::kPoints;
  // Pixels that other tiles have added to.
  constexpr double kOverlap = n * n - F::kPositions * F::kPositions;
  return {
      .of_pixels = square_operations<n>([](const auto& line) { return F::of_pixels(line); }),
      .to_pixels = Operations{kOverlap, kOverlap, 0} +
                   square_operations<n>([](const auto& line) { return F::to_pixels(line); }),
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

// A transform from numbers to points or back.
Pass transform_pass(const Operations& operations, const Move& numbers, const Move& points) {
  return {0, operations.flops(), {numbers, points}};
}

// The values that a convolution reads and writes.
struct ConvolutionMoves {
  Move images, positions, weights;

  ConvolutionMoves(const nn::Graph& graph, nn::ValueId value, ReuseDistances& distances) {
    const nn::Node& node = graph.node(value);
    const bool is_gradient = node.operation == &nn::kConvolutionWeightGradient;
    const bool is_transposed = node.operation == &nn::kTransposedConvolution;
    const Move first = distances.read(node.inputs[0]);
    const Move second = distances.read(node.inputs[1]);
    const Move result = distances.write(value);
    images = is_transposed ? result : first;
    positions = is_gradient ? second : is_transposed ? first : result;
    weights = is_gradient ? result : second;
  }
};

// In groups the derivative by the image is a convolution of the positions (grouped_winograd.cpp).
template <class F>
Arithmetic winograd_arithmetic(const nn::Operation& operation, const nn::ConvolutionShape& shape,
                               const ConvolutionMoves& moves, nn::Precision precision) {
  const nn::Window& window = shape.window;
  const TransformOperations each = transform_operations<F>();
  const bool is_transposed = &operation == &nn::kTransposedConvolution;
  const bool turns = window.groups > 1 && is_transposed;
  const double tiles = n_tiles(turns ? shape.x : shape.y, F::kPositions);
  const double depth = window.stride * window.stride * shape.x[3];
  const double outputs = shape.y[3];
  const double n_weights = depth * outputs / window.groups;
  const Operations of_images = tiles * depth *
                               (turns           ? each.to_positions
                                : is_transposed ? each.to_pixels
                                                : each.of_pixels);
  const bool begins_with_positions = &operation != &nn::kConvolution;
  const Operations of_positions = tiles * outputs *
                                  (turns                   ? each.of_pixels
                                   : begins_with_positions ? each.of_positions
                                                           : each.to_positions);
  const bool is_gradient = &operation == &nn::kConvolutionWeightGradient;
  const Operations of_weights = n_weights * (is_gradient ? each.to_taps : each.of_taps);
  constexpr double kPoints = F::kPoints * F::kPoints;
  const Operations transforms = of_images + of_positions + of_weights;
  const bool stays = window.groups > 1;  // points in the first cache
  const double number = precision == nn::Precision::kBf16 ? 2 : sizeof(float);
  const auto points = [&](double n, double share) -> Move {
    const double bytes = stays ? 0 : kPoints * n * number;
    return {bytes, share * bytes};
  };
  const auto at_a_time =
      stays ? 1.0 : static_cast<double>(nn::winograd_images_at_a_time(shape, F::kPositions));
  const double chunk = at_a_time / shape.x[0];  // of the batch
  const Move of_x = points(tiles * depth, chunk), of_y = points(tiles * outputs, chunk);
  const Move of_w = points(n_weights, 1);
  return {transforms.each,
          {transform_pass(of_images, moves.images, of_x),
           transform_pass(of_positions, moves.positions, of_y),
           transform_pass(of_weights, moves.weights, of_w),
           {2 * kPoints * tiles * n_weights, 0, {of_x, of_y, of_w}}}};
}

// An operation that walks over its values once, or over as much of its inputs as its result has. A
// result that may lie on an input is not counted beside it.
Pass plain_pass(const nn::Graph& graph, nn::ValueId value, ReuseDistances& distances) {
  const nn::Operation& operation = *graph.node(value).operation;
  const bool takes_a_part = &operation == &nn::kSlice || &operation == &nn::kSliceChannels ||
                            &operation == &nn::kEmbedding;
  const auto flops = static_cast<double>(graph.flops(value));
  Pass pass;
  (is_product(graph, value) ? pass.products : pass.others) = flops;
  for (const nn::ValueId input : distances.inputs_of(value)) {
    pass.moves.push_back(distances.read(input));
  }
  const Move result = distances.write(value);
  if (takes_a_part) {
    for (Move& move : pass.moves) move.bytes = std::min(move.bytes, result.bytes);
  }
  if (!operation.updates_inputs && !operation.in_place) pass.moves.push_back(result);
  return pass;
}

// That of a convolution by its algorithm.
Arithmetic convolution_arithmetic(const nn::Graph& graph, nn::ValueId value,
                                  nn::Precision precision, ReuseDistances& distances) {
  using nn::ConvolutionAlgorithm;
  const nn::Node& node = graph.node(value);
  const nn::Operation& operation = *node.operation;
  const nn::ConvolutionShape shape = nn::convolution_shape(graph, value);
  const ConvolutionAlgorithm algorithm = node.attributes.algorithm;
  const bool is_filtered = (algorithm == ConvolutionAlgorithm::kWinograd ||
                            algorithm == ConvolutionAlgorithm::kWinograd4) &&
                           nn::fits(algorithm, operation, shape);
  if (!is_filtered) return {0, {plain_pass(graph, value, distances)}};
  const ConvolutionMoves moves(graph, value, distances);
  const std::size_t edge = algorithm == ConvolutionAlgorithm::kWinograd ? 2 : 4;
  const std::size_t n_taps = shape.window.kernel / shape.window.stride;
  return nn::with_filtering(edge, n_taps, [&](auto filtering) {
    return winograd_arithmetic<decltype(filtering)>(operation, shape, moves, precision);
  });
}

Arithmetic arithmetic_of_step(const nn::Graph& graph, nn::Precision precision,
                              ReuseDistances& distances) {
  distances.begin_step();
  Arithmetic total;
  for (const nn::ValueId value : graph.live_operations()) {
    if (nn::is_convolution(graph, value)) {
      total += convolution_arithmetic(graph, value, precision, distances);
    } else {
      total += {0, {plain_pass(graph, value, distances)}};
    }
  }
  return total;
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
  if (engine.backend == nn::Backend::kOneDnn) nn::choose_algorithms(engine, graph);
  ReuseDistances distances(graph);
  arithmetic_of_step(graph, engine.precision, distances);  // the step before
  return arithmetic_of_step(graph, engine.precision, distances);
}

Arithmetic& Arithmetic::operator+=(const Arithmetic& other) {
  transforms += other.transforms;
  passes.insert(passes.end(), other.passes.begin(), other.passes.end());
  return *this;
}

double Arithmetic::flops() const {
  double total = transforms;
  for (const Pass& pass : passes) total += pass.products;
  return total;
}

double Arithmetic::roofline_s(double products_per_s, double flops_per_s,
                              const Bandwidth& bandwidth) const {
  double total_s = 0;
  for (const Pass& pass : passes) {
    double moved_s = 0;
    for (const Move& move : pass.moves)
      moved_s += move.bytes / bandwidth.bytes_per_s(move.reuse_distance);
    total_s += std::max(pass.products / products_per_s + pass.others / flops_per_s, moved_s);
  }
  return total_s;
}

double Arithmetic::bytes() const {
  double total = 0;
  for (const Pass& pass : passes) {
    for (const Move& move : pass.moves) total += move.bytes;
  }
  return total;
}

}  // namespace lipizz::bench
