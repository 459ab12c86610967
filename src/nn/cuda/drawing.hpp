#pragma once

#include "core/philox.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"

/// The operations that draw a step's random numbers and samples; the same numbers as on the host.
namespace lipizz::nn::cuda {

template <class Work>
void normals(Work& work) {
  const std::size_t width = work.shape()[1];
  const std::size_t n_blocks = (width + 3) / 4;
  const std::size_t first = work.attributes().offset;
  work.each(work.shape()[0] * n_blocks, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const Draw draw = Draw::read(o.in(0));
    const std::size_t row = i / n_blocks;
    const std::size_t position = i % n_blocks;
    const philox::Block words =
        philox::block(draw.stream, draw.first + static_cast<std::uint32_t>(first + row),
                      static_cast<std::uint32_t>(position));
    const philox::Normals a = philox::normals(words[0], words[1]);
    const philox::Normals b = philox::normals(words[2], words[3]);
    const float four[4] = {a.x, a.y, b.x, b.y};
    for (std::size_t c = 0; c < 4 && 4 * position + c < width; ++c) {
      o.out()[row * width + 4 * position + c] = four[c];
    }
  });
}

template <class Work>
void uniforms(Work& work) {
  const std::size_t first = work.attributes().offset;
  work.each(work.size(), [first] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const Draw draw = Draw::read(o.in(0));
    const std::size_t number = first + i;
    const philox::Block words =
        philox::block(draw.stream, draw.first, static_cast<std::uint32_t>(number / 4));
    o.out()[i] = philox::uniform(words[number % 4]);
  });
}

template <class Work>
void classes_in_turn(Work& work) {
  const std::uint32_t n_classes = work.attributes().groups;
  const std::size_t first = work.attributes().offset;
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::uint32_t row = Draw::read(o.in(0)).first + static_cast<std::uint32_t>(first + i);
    o.out()[i] = static_cast<float>(row % n_classes);
  });
}

template <class Work>
void samples(Work& work) {
  const Divisor size(work.shape()[1]);
  const float* all = work.cached_samples(*work.attributes().source);
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] =
        all[std::size_t{bits_of(o.in(0)[size.quotient(i)])} * size.value() + size.remainder(i)];
  });
}

template <class Work>
void labels(Work& work) {
  const float* all = work.cached_labels(*work.attributes().source);
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = all[bits_of(o.in(0)[i])];
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto drawing_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kNormals, normals},
      {&kUniforms, uniforms},
      {&kClassesInTurn, classes_in_turn},
      {&kSamples, samples},
      {&kLabels, labels},
  });
}

}  // namespace lipizz::nn::cuda
