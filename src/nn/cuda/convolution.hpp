#pragma once

#include "nn/cuda/elementwise.hpp"
#include "nn/cuda/window_products.hpp"
#include "nn/cuda/work.hpp"
#include "nn/graph/convolution.hpp"

/// Convolutions as products of matrices: those of strict single precision (f32), and those of more
/// than one group. All others are cuDNN's (nn/cuda/cudnn.hpp), and a shape that it has no plan for
/// is an error.
namespace lipizz::nn::cuda {

template <class Work>
WindowProducts window_products(Work& work) {
  const ConvolutionShape shape = convolution_shape(work.graph(), work.value());
  const WindowProducts products(shape, Work::kMostWindows);
  work.use_workspace(products.n_workspace());
  return products;
}

template <class Work>
void convolution(Work& work) {
  if (work.convolve(ConvolutionProduct::kForward)) return finish_product(work);
  const WindowProducts p = window_products(work);
  for (const WindowProducts::Part& part : p.parts()) {
    p.gather(work, part);
    work.product({.a = p.matrix_of_windows(part, 0),
                  .b = p.weights(1),
                  .y = p.outputs(part, Matrix::kResult),
                  .rows = p.n_rows(part),
                  .columns = p.n_outputs(),
                  .inner = p.n_window(),
                  .n = p.n_groups()});
  }
  finish_product(work);
}

template <class Work>
void transposed_convolution(Work& work) {
  if (work.convolve(ConvolutionProduct::kInputGradient)) return finish_product(work);
  const WindowProducts p = window_products(work);
  for (const WindowProducts::Part& part : p.parts()) {
    work.product({.a = p.outputs(part, 0),
                  .b = p.weights(1),
                  .y = p.matrix_of_windows(part, Matrix::kResult),
                  .rows = p.n_rows(part),
                  .columns = p.n_window(),
                  .inner = p.n_outputs(),
                  .transpose_b = true,
                  .n = p.n_groups()});
    p.scatter(work, part);
  }
  finish_product(work);
}

template <class Work>
void convolution_weight_gradient(Work& work) {
  if (work.convolve(ConvolutionProduct::kWeightGradient)) return;
  const WindowProducts p = window_products(work);
  for (const WindowProducts::Part& part : p.parts()) {
    p.gather(work, part);
    work.product({.a = p.matrix_of_windows(part, 0),
                  .b = p.outputs(part, 1),
                  .y = p.weights(Matrix::kResult),
                  .rows = p.n_window(),
                  .columns = p.n_outputs(),
                  .inner = p.n_rows(part),
                  .transpose_a = true,
                  .n = p.n_groups(),
                  .adds = part.first > 0});
  }
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto convolution_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kConvolution, convolution},
      {&kTransposedConvolution, transposed_convolution},
      {&kConvolutionWeightGradient, convolution_weight_gradient},
  });
}

}  // namespace lipizz::nn::cuda
