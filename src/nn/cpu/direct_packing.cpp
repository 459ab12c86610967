#include "nn/cpu/direct_packing.hpp"

#include <algorithm>
#include <cstring>

#include "nn/cpu/direct_loops.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

// Channels of groups and outputs come in sixteens, a size that is known: a call for each pixel
// would cost as much as the loops.
void copy_channels(const float* from, std::size_t n, float* to) {
  for (std::size_t c = 0; c < n; c += kDirectOutputs) {
    std::memcpy(to + c, from + c, kDirectOutputs * sizeof(float));
  }
}

}  // namespace

bool is_direct(const Operation& operation, const ConvolutionShape& shape) {
  const Window& window = shape.window;
  const auto fills_vectors = [&](std::uint32_t channels) {
    return channels / window.groups % kDirectOutputs == 0;
  };
  if (&operation == &kConvolutionWeightGradient && shape.is_plain()) {
    return fills_vectors(shape.x[3]) || fills_vectors(shape.y[3]);
  }
  const bool is_transposed = &operation == &kTransposedConvolution;
  const bool has_groups = window.groups > 1;
  return window.stride == 1 && window.padding < window.kernel &&
         (fills_vectors(shape.x[3]) || !(is_transposed || has_groups)) &&
         (fills_vectors(shape.y[3]) || (is_transposed && !has_groups));
}

void ImagePacking::pack(const float* image, std::size_t first_line, std::size_t n_lines,
                        float* packed) const {
  const std::size_t part_size = n_lines * line_size();
  const std::size_t beside = padding * channels;
  for (std::size_t line = 0; line < n_lines; ++line, packed += line_size()) {
    const std::size_t h = first_line + line - padding;  // huge if above
    if (h >= height) {
      for (std::size_t part = 0; part < parts; ++part) {
        std::fill_n(packed + part * part_size, line_size(), 0.0f);
      }
      continue;
    }
    for (std::size_t part = 0; part < parts; ++part) {
      std::fill_n(packed + part * part_size, beside, 0.0f);
      std::fill_n(packed + part * part_size + line_size() - beside, beside, 0.0f);
    }
    const float* pixel = image + h * width * parts * channels;
    if (parts == 1) {
      std::memcpy(packed + beside, pixel, width * channels * sizeof(float));
      continue;
    }
    for (std::size_t w = 0; w < width; ++w) {
      for (std::size_t part = 0; part < parts; ++part, pixel += channels) {
        copy_channels(pixel, channels, packed + part * part_size + beside + w * channels);
      }
    }
  }
}

ImagePacking packed_images(const ConvolutionShape& shape) {
  const Window& window = shape.window;
  return {shape.x[1], shape.x[2], window.groups, shape.x[3] / window.groups, window.padding};
}

ImagePacking padded_positions(const ConvolutionShape& shape) {
  const Window& window = shape.window;
  return {shape.y[1], shape.y[2], window.groups, shape.y[3] / window.groups,
          window.kernel - 1 - window.padding};
}

ImagePacking packed_positions(const ConvolutionShape& shape) {
  return {shape.y[1], shape.y[2], shape.y[3] / kDirectOutputs, kDirectOutputs, 0};
}

DirectWeights::DirectWeights(const ConvolutionShape& shape)
    : taps_(std::size_t{shape.window.kernel} * shape.window.kernel),
      inputs_(shape.x[3] / shape.window.groups),
      outputs_(shape.y[3]),
      groups_(shape.window.groups) {}

// Calls with the place of every sixteen outputs of a tap and an input, in our order and packed.
template <class Each>
void DirectWeights::for_each_block(const Each& each) const {
  std::size_t packed = 0;
  for (std::size_t block = 0; block < outputs_; block += kDirectOutputs) {
    for (std::size_t row = 0; row < taps_ * inputs_; ++row, packed += kDirectOutputs) {
      each(row * outputs_ + block, packed);
    }
  }
}

void DirectWeights::pack(const float* weights, float* packed) const {
  for_each_block([&](std::size_t ours, std::size_t theirs) {
    copy_channels(weights + ours, kDirectOutputs, packed + theirs);
  });
}

void DirectWeights::unpack(const float* packed, float* weights) const {
  for_each_block([&](std::size_t ours, std::size_t theirs) {
    copy_channels(packed + theirs, kDirectOutputs, weights + ours);
  });
}

void DirectWeights::pack_transposed(const float* weights, float* packed) const {
  const std::size_t group_outputs = outputs_ / groups_;
  for (std::size_t group = 0; group < groups_; ++group) {
    for (std::size_t block = 0; block < inputs_; block += kDirectOutputs) {
      for (std::size_t tap = taps_; tap-- > 0;) {
        const float* from = weights + (tap * inputs_ + block) * outputs_ + group * group_outputs;
        for (std::size_t o = 0; o < group_outputs; ++o) {
          for (std::size_t i = 0; i < kDirectOutputs; ++i) *packed++ = from[i * outputs_ + o];
        }
      }
    }
  }
}

}  // namespace lipizz::nn
