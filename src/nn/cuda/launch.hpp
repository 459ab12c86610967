#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "nn/base/sample_source.hpp"
#include "nn/cuda/staged_values.hpp"
#include "nn/graph/graph.hpp"

/// Operations as launches over all models of a plan.
namespace lipizz::nn::cuda {

class LibraryConvolutions;  // nn/cuda/cudnn.hpp

/// Memory of the device that has so many floats for each model.
struct ModelMemory {
  float* memory = nullptr;
  std::size_t n = 0;

  [[nodiscard]] constexpr float* of(std::uint32_t model) const { return memory + model * n; }
};

/// The common arguments of all launches of a plan.
struct LaunchContext {
  cudaStream_t stream = nullptr;
  cublasHandle_t cublas = nullptr;
  cublasComputeType_t products = CUBLAS_COMPUTE_32F_PEDANTIC;
  LibraryConvolutions* convolutions = nullptr;  // none in f32
  std::uint32_t n_models = 1;
  float* const* values = nullptr;  // on the device, [node, model]
  float* const* own = nullptr;     // the same on the host; null: what is bound, which may move
  bool binds_parts = false;        // what is bound may begin anywhere (DevicePlan::bind_part)
  StagedValues* staged = nullptr;
  ModelMemory workspace{}, copies{}, partials{};
  float** pointers = nullptr;         // space for three lists of a product's matrices
  void* library_workspace = nullptr;  // the library's
};

/// Samples that plans read where the device works.
class DatasetCache {
 public:
  virtual ~DatasetCache() = default;
  virtual const float* samples(const SampleSource& source) = 0;
  virtual const float* labels(const SampleSource& source) = 0;
};

/// The memory of the context that an operation's launches need.
struct LaunchNeeds {
  std::size_t n_workspace = 0;  // of a model
  std::size_t n_partials = 0;   // of a model
  std::size_t n_pointers = 0;   // for one model
  std::size_t library_workspace_bytes = 0;
};
LaunchNeeds measure(const Graph& graph, ValueId operation, const LaunchContext& context,
                    DatasetCache& datasets);

/// Puts the launches of an operation into the context's stream.
void launch(const Graph& graph, ValueId operation, const LaunchContext& context,
            DatasetCache& datasets);

}  // namespace lipizz::nn::cuda
