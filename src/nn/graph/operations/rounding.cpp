#include "nn/graph/operations/rounding.hpp"

#include "nn/base/drawn_numbers.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape round_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && (attributes.number == 10 || attributes.number == 7), "round", in);
  return in[0];
}

Shape pack_shape(Shapes in, const Attributes& attributes) {
  return {static_cast<std::uint32_t>(n_packed(n_elements(round_shape(in, attributes))))};
}

Shape unpack_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && n_elements(in[0]) == n_packed(n_elements(attributes.shape)), "unpack",
          in);
  return attributes.shape;
}

template <class T>
void round(const Values<T>& v) {
  with_format(v.attributes(), [&]<Half format>() {
    v.array() = v.array(0).unaryExpr(
        [](T x) { return static_cast<T>(rounded_to<format>(static_cast<float>(x))); });
  });
}

void pack(const Graph& graph, ValueId value, float* const* values) {
  const Values<float> v(graph, value, values);
  const std::size_t n = n_elements(v.shape(0));
  const std::size_t half = n_packed(n);
  with_format(v.attributes(), [&]<Half format>() {
    for (std::size_t i = 0; i < half; ++i) {
      const float second = half + i < n ? v.data(0)[half + i] : 0;
      v.data()[i] = packed(half_bits<format>(v.data(0)[i]), half_bits<format>(second));
    }
  });
}

void unpack(const Graph& graph, ValueId value, float* const* values) {
  const Values<float> v(graph, value, values);
  const std::size_t n = n_elements(v.shape());
  const std::size_t half = n_packed(n);
  with_format(v.attributes(), [&]<Half format>() {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t both = bits_of(v.data(0)[i < half ? i : i - half]);
      v.data()[i] = half_number<format>(i < half ? both & 0xffffU : both >> 16);
    }
  });
}

// Numbers of all sizes, among them what is rounded to zero and to infinity.
std::vector<Example> examples() {
  const std::vector<float> sizes{0,     -0.0F,  1.0F,   1e-8F, 2.9e-8F,  3.1e-8F, -6e-5F,
                                 6e-5F, 65504,  65519,  -1e3F, 0.33333F, 2049,    1e-3F,
                                 -1.5F, 2.001F, 1e-30F, 0.1F,  12345.6F};
  std::vector<Example> all;
  for (const float bits : {10.0F, 7.0F}) {
    for (const Shape& shape : {Shape{1}, Shape{3, 13}, Shape{2, 5, 7, 17}}) {
      all.push_back({{{shape}}, {.number = bits}});
    }
    all.push_back({{{.shape = {static_cast<std::uint32_t>(sizes.size())}, .values = sizes}},
                   {.number = bits}});
  }
  return all;
}

}  // namespace

Attributes attributes_of(Half format) {
  return {.number = format == Half::kFp16 ? 10.0F : 7.0F};
}

constinit const Operation kRound{.name = "round",
                                 .summary = "x -> the nearest numbers of the format",
                                 .in_place = true,
                                 .shape = round_shape,
                                 .flops = elementwise_flops,
                                 .reference = reference([](const auto& v) { round(v); }),
                                 .examples = examples};
constinit const Operation kPack{
    .name = "pack",
    .summary = "x -> the nearest numbers of the format, two to an element [ceil(n / 2)]",
    .shape = pack_shape,
    .flops = no_flops,
    .reference = {.f32 = pack}};
constinit const Operation kUnpack{.name = "unpack",
                                  .summary = "what pack has made of `shape` -> these numbers",
                                  .shape = unpack_shape,
                                  .flops = no_flops,
                                  .reference = {.f32 = unpack}};

std::span<const Operation* const> rounding_operations() {
  static constexpr const Operation* kAll[] = {&kRound, &kPack, &kUnpack};
  return kAll;
}

}  // namespace lipizz::nn
