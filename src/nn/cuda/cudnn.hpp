#pragma once

#include <cudnn.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/cuda/api.hpp"
#include "nn/cuda/work.hpp"
#include "nn/graph/convolution.hpp"

/// Convolutions by cuDNN's graph interface: its backend descriptors as values.
namespace lipizz::nn::cuda {

void check(cudnnStatus_t status, const char* what);

using CudnnHandle = Owned<cudnnHandle_t, cudnnDestroy>;
CudnnHandle make_cudnn(cudaStream_t stream);

/// A backend descriptor: its attributes are set, then it is finished and used.
class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);

  Descriptor& set(cudnnBackendAttributeName_t name, std::int64_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, std::vector<std::int64_t> values);
  Descriptor& set(cudnnBackendAttributeName_t name, float value);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnDataType_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnConvolutionMode_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendHeurMode_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnHandle_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, std::vector<void*> values);
  Descriptor& set(cudnnBackendAttributeName_t name, std::string_view text);
  Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& value);
  Descriptor& finish(const char* what);

  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

 private:
  Descriptor& set_values(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                         std::size_t n, const void* values);

  Owned<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor> descriptor_;
};

/// A plan for one of a convolution's three products, the first one of the library's own heuristics
/// that gives the same bits each time: for x [n, H, W, C] and y [n, H', W', O] as we keep them and
/// weights [O, k, k, C], all of one type; sums are taken in single precision. InternalError when
/// there is none.
///
/// For the handle's device; or without a handle for one that is only described, so that what the
/// library would do is seen where there is no device.
Descriptor plan_convolution(cudnnHandle_t handle, const Descriptor* described_device,
                            const ConvolutionShape& shape, ConvolutionProduct which,
                            cudnnDataType_t type);

/// Such a product, planned.
class LibraryConvolution {
 public:
  LibraryConvolution(cudnnHandle_t handle, const ConvolutionShape& shape, ConvolutionProduct which,
                     cudnnDataType_t type);

  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  /// Runs in the handle's stream. The result of the product is written, the other two are read.
  void run(void* x, void* weights, void* y, void* workspace) const;

 private:
  cudnnHandle_t handle_;
  Descriptor plan_;
  std::size_t workspace_bytes_ = 0;
};

/// Those of a device, each planned when it is first asked for.
class LibraryConvolutions {
 public:
  LibraryConvolutions(cudnnHandle_t handle, cudnnDataType_t type) : handle_(handle), type_(type) {}

  [[nodiscard]] cudnnDataType_t type() const { return type_; }
  const LibraryConvolution& find(const ConvolutionShape& shape, ConvolutionProduct which);

 private:
  cudnnHandle_t handle_;
  cudnnDataType_t type_;
  std::map<std::pair<ConvolutionShape, ConvolutionProduct>, LibraryConvolution> planned_;
};

}  // namespace lipizz::nn::cuda
