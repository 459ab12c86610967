#pragma once

#include <map>
#include <memory>
#include <string>

#include "nn/base/engine.hpp"
#include "nn/cuda/api.hpp"
#include "nn/cuda/cublas.hpp"
#include "nn/cuda/cudnn.hpp"
#include "nn/cuda/launch.hpp"
#include "nn/cuda/staging.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::nn::cuda {

/// A GPU, with a stream of its own in which everything happens in order.
class CudaDevice final : public Device {
 public:
  /// Takes the engine's precision, and the ranks that compute together. ConfigError when there is
  /// no such device, or none that can be used.
  CudaDevice(int index, const Engine& engine);
  ~CudaDevice() override;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool is_host() const override { return false; }
  [[nodiscard]] bool updates_together() const override { return true; }
  [[nodiscard]] Collectives* collectives() const override { return engine_.collectives; }
  [[nodiscard]] const Pipeline* pipeline() const override { return pipeline_of(engine_); }

  Region allocate(std::size_t n) override;
  void free(Region memory) noexcept override;
  void upload(std::span<const float> from, Region to) override;
  void download(Region from, std::span<float> to) override;
  std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                   Exactness exactness) override;

  /// All of a source, read once for all who hold on to it.
  std::shared_ptr<DeviceBytes> samples(const SampleSource& source);
  std::shared_ptr<DeviceBytes> labels(const SampleSource& source);

  /// For the calling thread: what CUDA is asked next is asked of this device.
  void make_current() const;
  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  [[nodiscard]] cublasHandle_t cublas() const { return cublas_.get(); }
  [[nodiscard]] cublasComputeType_t products(Exactness exactness) const;
  /// Null in strict single precision.
  [[nodiscard]] LibraryConvolutions* convolutions(Exactness exactness) {
    return exactness == Exactness::kStrict ? nullptr : convolutions_.get();
  }

 private:
  int index_;
  Engine engine_;
  std::string name_;
  Stream stream_;
  Staging staging_;
  DeviceBytes workspace_;  // cuBLAS's, which must not look for any while a step is captured
  CublasHandle cublas_;
  std::unique_ptr<LibraryConvolutions> convolutions_;
  // By the source's identity, which is another's once the plans that use the source are gone.
  using DatasetCache = std::map<const void*, std::weak_ptr<DeviceBytes>>;
  DatasetCache samples_;
  DatasetCache labels_;
};

/// How many devices this machine has; 0 where there is no driver either. ConfigError where there is
/// one that cannot be used, or cuBLAS is missing.
int count_devices();
/// Why there is none; empty where there is. ConfigError as above.
std::string why_none();

}  // namespace lipizz::nn::cuda
