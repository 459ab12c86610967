#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "nn/cuda/cudnn_library.hpp"
#include "nn/cuda/work.hpp"
#include "nn/graph/convolution.hpp"

/// Convolutions by cuDNN's graph interface: its backend descriptors as values.
namespace lipizz::nn::cuda {

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

  struct Destroy {
    void operator()(cudnnBackendDescriptor_t descriptor) const {
      cudnn_library().destroy_descriptor(descriptor);
    }
  };
  std::unique_ptr<std::remove_pointer_t<cudnnBackendDescriptor_t>, Destroy> descriptor_;
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
  /// The stream outlives it.
  LibraryConvolutions(cudaStream_t stream, cudnnDataType_t type) : stream_(stream), type_(type) {}

  [[nodiscard]] cudnnDataType_t type() const { return type_; }
  /// ConfigError when the library is not on this machine.
  const LibraryConvolution& find(const ConvolutionShape& shape, ConvolutionProduct which);

 private:
  cudaStream_t stream_;
  CudnnHandle handle_;  // made for the first one
  cudnnDataType_t type_;
  std::map<std::pair<ConvolutionShape, ConvolutionProduct>, LibraryConvolution> planned_;
};

}  // namespace lipizz::nn::cuda
