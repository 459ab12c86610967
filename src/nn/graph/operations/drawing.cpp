#include "nn/base/drawn_numbers.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

// What a step draws for itself; none of it has a derivative.
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

}  // namespace

const Operation kNormals{
    "normals",
    "a draw (nn/base/drawn_numbers.hpp) -> standard normals in `shape` [N, width], "
    "a sample for each row",
    false,
    normals_shape,
    nullptr,
    elementwise_flops};
const Operation kUniforms{
    "uniforms",
    "a draw -> uniform numbers in [0, 1) of its sample, from the `offset`-th on, in `shape`",
    false,
    drawn_shape,
    nullptr,
    elementwise_flops};
const Operation kClassesInTurn{
    "classes_in_turn",
    "a draw -> of each of N samples the class that is its number modulo `groups`, in `shape` [N]",
    false,
    classes_shape,
    nullptr,
    no_flops};
const Operation kSamples{
    "samples", "indices [N], whole numbers as bits -> these of the source [N, sample]",
    false,     samples_shape,
    nullptr,   no_flops};
const Operation kLabels{
    "labels", "indices [N], whole numbers as bits -> the classes of these of the source [N]",
    false,    labels_shape,
    nullptr,  no_flops};

}  // namespace lipizz::nn
