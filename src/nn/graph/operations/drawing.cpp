#include "nn/graph/operations/drawing.hpp"

#include "core/philox.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape drawn_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0] == Shape{Draw::kSize} && !attributes.shape.empty(), "a draw", in);
  return attributes.shape;
}

Shape normals_shape(Shapes in, const Attributes& attributes) {
  require(attributes.shape.size() == 2, "normals", in);
  return drawn_shape(in, attributes);
}

Shape classes_shape(Shapes in, const Attributes& attributes) {
  require(attributes.shape.size() == 1 && attributes.groups > 0, "classes_in_turn", in);
  return drawn_shape(in, attributes);
}

Shape samples_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 1 && attributes.source != nullptr, "samples", in);
  return {in[0][0], attributes.source->sample_size()};
}

Shape labels_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 1 && attributes.source != nullptr, "labels", in);
  return in[0];
}

// The result as `of(row, column)` says.
template <class T, class Of>
void fill(const Values<T>& v, const Of& of) {
  auto out = v.array();
  out = Array<T>::NullaryExpr(out.rows(), out.cols(), [&of](Eigen::Index i, Eigen::Index j) {
    return static_cast<T>(of(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)));
  });
}

// The draw whose first sample is that of the first row.
template <class T>
Draw draw_of_rows(const Values<T>& v) {
  Draw draw = Draw::read(v.data(0));
  draw.first += static_cast<std::uint32_t>(v.attributes().offset);
  return draw;
}

// Four normals come from one block of words.
template <class T>
void normals(const Values<T>& v) {
  const Draw draw = draw_of_rows(v);
  fill(v, [&draw](std::uint32_t row, std::uint32_t column) {
    const philox::Block words = philox::block(draw.stream, draw.first + row, column / 4);
    const bool is_first_pair = column % 4 < 2;
    const philox::Normals two =
        is_first_pair ? philox::normals(words[0], words[1]) : philox::normals(words[2], words[3]);
    return column % 2 == 0 ? two.x : two.y;
  });
}

template <class T>
void uniforms(const Values<T>& v) {
  const Draw draw = Draw::read(v.data(0));
  const auto n_columns = static_cast<std::uint32_t>(v.shape().back());
  const auto first = static_cast<std::uint32_t>(v.attributes().offset);
  fill(v, [&](std::uint32_t row, std::uint32_t column) {
    const std::uint32_t number = first + row * n_columns + column;
    return philox::uniform(philox::block(draw.stream, draw.first, number / 4)[number % 4]);
  });
}

template <class T>
void classes_in_turn(const Values<T>& v) {
  const Draw draw = draw_of_rows(v);
  fill(v, [&, n = v.attributes().groups](std::uint32_t, std::uint32_t column) {
    return (draw.first + column) % n;
  });
}

template <class T>
void samples(const Values<T>& v) {
  auto out = v.array();
  Eigen::Array<float, 1, Eigen::Dynamic> sample(out.cols());
  for (Eigen::Index row = 0; row < out.rows(); ++row) {
    const std::uint32_t index = bits_of(v.data(0)[row]);
    v.attributes().source->read({&index, 1}, {sample.data(), static_cast<std::size_t>(out.cols())});
    out.row(row) = sample.template cast<T>();
  }
}

template <class T>
void labels(const Values<T>& v) {
  fill(v, [&v](std::uint32_t, std::uint32_t column) {
    return v.attributes().source->label(bits_of(v.data(0)[column]));
  });
}

ExampleInput draw() {
  return {{Draw::kSize}, Drawn::kWords};
}

// Indices of samples, more than are read at once.
std::vector<Example> index_examples() {
  std::vector<Example> all;
  for (const std::uint32_t n : {1U, 7U, 150U}) {
    all.push_back({{{{n}, Drawn::kWords, 40}}, {}, true});
  }
  return all;
}

}  // namespace

constinit const Operation kNormals{
    .name = "normals",
    .summary =
        "a draw (nn/base/drawn_numbers.hpp) -> standard normals in `shape` [N, width], a "
        "sample for each row, from its `offset`-th on",
    .shape = normals_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { normals(v); }),
    .examples = [] {
      return std::vector<Example>{{{draw()}, {.shape = {1, 1}}},
                                  {{draw()}, {.shape = {3, 7}}},
                                  {{draw()}, {.shape = {65, 33}, .offset = 9}}};
    }};
constinit const Operation kUniforms{
    .name = "uniforms",
    .summary =
        "a draw -> uniform numbers in [0, 1) of its sample, from the `offset`-th on, in "
        "`shape`",
    .shape = drawn_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { uniforms(v); }),
    .examples = [] {
      return std::vector<Example>{{{draw()}, {.shape = {1}}},
                                  {{draw()}, {.shape = {3, 11}, .offset = 10}},
                                  {{draw()}, {.shape = {2, 5, 33}, .offset = 3}}};
    }};
constinit const Operation kClassesInTurn{
    .name = "classes_in_turn",
    .summary =
        "a draw -> of each of N samples, from the `offset`-th on, the class that is its number "
        "modulo `groups`, in `shape` [N]",
    .shape = classes_shape,
    .flops = no_flops,
    .reference = reference([](const auto& v) { classes_in_turn(v); }),
    .examples = [] {
      return std::vector<Example>{{{draw()}, {.shape = {1}, .groups = 1}},
                                  {{draw()}, {.shape = {33}, .offset = 4, .groups = 10}}};
    }};
constinit const Operation kSamples{
    .name = "samples",
    .summary = "indices [N], whole numbers as bits -> these of the source [N, sample]",
    .shape = samples_shape,
    .flops = no_flops,
    .reference = reference([](const auto& v) { samples(v); }),
    .examples = index_examples};
constinit const Operation kLabels{
    .name = "labels",
    .summary = "indices [N], whole numbers as bits -> the classes of these of the source [N]",
    .shape = labels_shape,
    .flops = no_flops,
    .reference = reference([](const auto& v) { labels(v); }),
    .examples = index_examples};

std::span<const Operation* const> drawing_operations() {
  static constexpr const Operation* kAll[] = {&kNormals, &kUniforms, &kClassesInTurn, &kSamples,
                                              &kLabels};
  return kAll;
}

}  // namespace lipizz::nn
