#include "nn/cuda/launch.cuh"

#include "nn/cuda/kernels.hpp"
#include "nn/cuda/staged_convolution.cuh"

namespace lipizz::nn::cuda {
bool CudaWork::convolve(ConvolutionProduct which) {
  const ConvolutionShape shape = convolution_shape(graph(), value());
  if (context_.convolutions == nullptr || shape.window.groups > 1) return false;
  const LibraryConvolution& library = context_.convolutions->find(shape, which);
  needs_.library_workspace_bytes = library.workspace_bytes();
  const auto stage = [&]<class T>(T) {
    const StagedConvolution<T> staged(*this, shape, which);
    if (!is_measured_) staged.run(library);
  };
  if (context_.convolutions->type() == CUDNN_DATA_FLOAT) {
    stage(float{});
  } else {
    stage(__nv_bfloat16{});
  }
  return true;
}

LaunchNeeds measure(const Graph& graph, ValueId operation, const LaunchContext& context,
                    DatasetCache& datasets) {
  CudaWork work(graph, operation, context, datasets, true);
  compute(work);
  return work.needs();
}

void launch(const Graph& graph, ValueId operation, const LaunchContext& context,
            DatasetCache& datasets) {
  CudaWork work(graph, operation, context, datasets, false);
  compute(work);
  if (work.node().operation->updates_inputs) context.staged->expire();
}

}  // namespace lipizz::nn::cuda
