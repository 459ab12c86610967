#include "nn/graph/operations/resampling.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape upsample_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 4, "upsample", in);
  const std::uint32_t k = attributes.window.kernel;
  return {in[0][0], in[0][1] * k, in[0][2] * k, in[0][3]};
}

Shape blocks_shape(Shapes in, const Attributes& attributes) {
  const std::uint32_t k = attributes.window.kernel;
  require(!in.empty() && in[0].size() == 4 && k > 0 && in[0][1] % k == 0 && in[0][2] % k == 0,
          "an operation on blocks", in);
  return {in[0][0], in[0][1] / k, in[0][2] / k, in[0][3]};
}

Shape pick_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0] == in[1], "pick_max", in);
  return blocks_shape(in, attributes);
}

Shape route_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0] == blocks_shape(in.subspan(1), attributes), "route_max", in);
  return in[1];
}

void max_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  request.give(0, g.apply(kRouteMax, {*request.upstream, node.inputs[0]}, node.attributes));
}

// Images [N, H, W, C] in blocks of kernel x kernel pixels, a row of blocks at a time.
template <class T>
class Blocks {
 public:
  Blocks(const Shape& large, const Attributes& attributes)
      : kernel_(attributes.window.kernel), width_(large[2]), channels_(large[3]) {}

  [[nodiscard]] Eigen::Index n_pixels() const { return kernel_ * kernel_; }
  [[nodiscard]] Eigen::Index n_columns() const { return width_ / kernel_; }

  // The q-th pixel of each block of a row [W / kernel, C], those of a block counted row by row.
  using Pixels = Eigen::Map<Array<T>, 0, Eigen::OuterStride<>>;
  Pixels pixels(T* large, Eigen::Index row, Eigen::Index q) const {
    const Eigen::Index first = (row * kernel_ + q / kernel_) * width_ + q % kernel_;
    return {large + first * channels_, n_columns(), channels_,
            Eigen::OuterStride<>(kernel_ * channels_)};
  }
  // One element of each block of a row [W / kernel, C].
  ArrayMap<T> blocks(T* small, Eigen::Index row) const {
    return {small + row * n_columns() * channels_, n_columns(), channels_};
  }

  // Which pixel of each block of a row is the greatest, the first such.
  Array<int> greatest(T* large, Eigen::Index row) const {
    Array<int> which = Array<int>::Zero(n_columns(), channels_);
    Array<T> best = pixels(large, row, 0);
    for (Eigen::Index q = 1; q < n_pixels(); ++q) {
      const auto x = pixels(large, row, q);
      which = (x > best).select(static_cast<int>(q), which);
      best = (x > best).select(x, best);
    }
    return which;
  }

 private:
  Eigen::Index kernel_, width_, channels_;
};

// Calls with each row of blocks.
template <class Each>
void for_each_row(const Shape& small, const Each& each) {
  for (Eigen::Index row = 0; row < Eigen::Index{small[0]} * small[1]; ++row) each(row);
}

template <class T>
void upsample(const Values<T>& v) {
  const Blocks<T> blocks(v.shape(), v.attributes());
  for_each_row(v.shape(0), [&](Eigen::Index row) {
    for (Eigen::Index q = 0; q < blocks.n_pixels(); ++q) {
      blocks.pixels(v.data(), row, q) = v.number() * blocks.blocks(v.data(0), row);
    }
  });
}

template <class T>
void sum_blocks(const Values<T>& v) {
  const Blocks<T> blocks(v.shape(0), v.attributes());
  for_each_row(v.shape(), [&](Eigen::Index row) {
    Array<T> sum = blocks.pixels(v.data(0), row, 0);
    for (Eigen::Index q = 1; q < blocks.n_pixels(); ++q) sum += blocks.pixels(v.data(0), row, q);
    blocks.blocks(v.data(), row) = v.number() * sum;
  });
}

// Picks from each block the element of `of` where x is greatest.
template <class T>
void pick_max(const Values<T>& v, T* of, T* x, const Shape& large) {
  const Blocks<T> blocks(large, v.attributes());
  for_each_row(v.shape(), [&](Eigen::Index row) {
    const Array<int> which = blocks.greatest(x, row);
    auto out = blocks.blocks(v.data(), row);
    for (Eigen::Index q = 0; q < blocks.n_pixels(); ++q) {
      out = (which == static_cast<int>(q)).select(blocks.pixels(of, row, q), out);
    }
  });
}

template <class T>
void route_max(const Values<T>& v) {
  const Blocks<T> blocks(v.shape(), v.attributes());
  for_each_row(v.shape(0), [&](Eigen::Index row) {
    const Array<int> which = blocks.greatest(v.data(1), row);
    for (Eigen::Index q = 0; q < blocks.n_pixels(); ++q) {
      blocks.pixels(v.data(), row, q) =
          (which == static_cast<int>(q)).select(blocks.blocks(v.data(0), row), T{0});
    }
  });
}

// Images in blocks of which `of(large, small)` makes the inputs.
template <class Of>
std::vector<Example> examples_of(const Of& of) {
  std::vector<Example> all;
  for (const std::uint32_t k : {1U, 2U, 3U}) {
    for (const Shape& small : {Shape{1, 1, 1, 1}, Shape{3, 2, 5, 7}, Shape{2, 4, 3, 33}}) {
      const Shape large{small[0], small[1] * k, small[2] * k, small[3]};
      all.push_back({of(ExampleInput{large}, ExampleInput{small}),
                     {.window = {.kernel = k}, .number = 0.75f}});
    }
  }
  return all;
}

using Inputs = std::vector<ExampleInput>;

}  // namespace

constinit const Operation kUpsample{
    .name = "upsample",
    .summary = "x [N, H, W, C] -> number * each element in a block of kernel x kernel",
    .shape = upsample_shape,
    .gradient = adjoint_gradient<kSumBlocks>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { upsample(v); }),
    .examples = [] {
      return examples_of([](const auto&, const auto& small) { return Inputs{small}; });
    }};
constinit const Operation kSumBlocks{
    .name = "sum_blocks",
    .summary = "x [N, H, W, C] -> number * sums of blocks of kernel x kernel",
    .shape = blocks_shape,
    .gradient = adjoint_gradient<kUpsample>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { sum_blocks(v); }),
    .examples = [] {
      return examples_of([](const auto& large, const auto&) { return Inputs{large}; });
    }};
constinit const Operation kMaxBlocks{
    .name = "max_blocks",
    .summary = "x [N, H, W, C] -> maxima of blocks of kernel x kernel",
    .shape = blocks_shape,
    .gradient = max_gradient,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { pick_max(v, v.data(0), v.data(0), v.shape(0)); }),
    .examples = [] {
      return examples_of([](const auto& large, const auto&) { return Inputs{large}; });
    }};
constinit const Operation kPickMax{
    .name = "pick_max",
    .summary = "u, x [N, H, W, C] -> of each block u where x is greatest, the first such",
    .shape = pick_shape,
    .gradient = adjoint_gradient<kRouteMax>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { pick_max(v, v.data(0), v.data(1), v.shape(1)); }),
    .examples = [] {
      return examples_of([](const auto& large, const auto&) { return Inputs{large, large}; });
    }};
constinit const Operation kRouteMax{
    .name = "route_max",
    .summary = "dy of blocks, x [N, H, W, C] -> dy where its block of x is greatest",
    .shape = route_shape,
    .gradient = adjoint_gradient<kPickMax>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { route_max(v); }),
    .examples = [] {
      return examples_of([](const auto& large, const auto& small) { return Inputs{small, large}; });
    }};

std::span<const Operation* const> resampling_operations() {
  static constexpr const Operation* kAll[] = {&kUpsample, &kSumBlocks, &kMaxBlocks, &kPickMax,
                                              &kRouteMax};
  return kAll;
}

}  // namespace lipizz::nn
