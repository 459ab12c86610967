#include "nn/cuda/device.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "nn/cuda/plan.hpp"

namespace lipizz::nn::cuda {
namespace {

constexpr std::size_t kWorkspaceBytes = 32 << 20;  // as cuBLAS recommends for Hopper

int checked(int index) {
  const int n = count_devices();
  if (n == 0) throw ConfigError("device cuda: " + why_none());
  if (index >= 0 && index < n) return index;
  throw ConfigError("device cuda:" + std::to_string(index) + ": expected one of the " +
                    std::to_string(n) + " that this machine has, counted from 0");
}

Stream stream_on(int index) {
  check(cudaSetDevice(index), "choosing a device");
  return make_stream();
}

}  // namespace

int count_devices() {
  int n = 0;
  return why_none().empty() && cudaGetDeviceCount(&n) == cudaSuccess ? n : 0;
}

std::string why_none() {
  int n = 0;
  const cudaError_t error = cudaGetDeviceCount(&n);
  if (error == cudaErrorNoDevice || (error == cudaSuccess && n == 0)) {
    return "this machine has no GPU";
  }
  if (error == cudaSuccess) {
    cublas_library();
    return "";
  }
  if (!has_gpu_driver()) return "this machine has no NVIDIA driver";
  throw ConfigError("device cuda: this machine's NVIDIA driver (libcuda.so.1) cannot be used: " +
                    std::string(cudaGetErrorString(error)) + "; this program is built for CUDA " +
                    std::to_string(CUDART_VERSION / 1000));
}

CudaDevice::CudaDevice(int index, const Engine& engine)
    : index_(checked(index)),
      engine_(engine),
      name_("cuda:" + std::to_string(index)),
      stream_(stream_on(index)),
      staging_(stream()),
      workspace_(kWorkspaceBytes),
      cublas_(make_cublas(stream())) {
  check(cublas_library().set_workspace(cublas(), workspace_.as<void>(), kWorkspaceBytes),
        "giving it memory");
  if (engine_.precision == Precision::kF32) return;
  const bool is_half = engine_.precision == Precision::kBf16;
  convolutions_ = std::make_unique<LibraryConvolutions>(
      stream(), is_half ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT);
}

cublasComputeType_t CudaDevice::products(Exactness exactness) const {
  switch (exactness == Exactness::kStrict ? Precision::kF32 : engine_.precision) {
    case Precision::kF32:
      return CUBLAS_COMPUTE_32F_PEDANTIC;
    case Precision::kTf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    case Precision::kBf16:
      return CUBLAS_COMPUTE_32F_FAST_16BF;
  }
  return CUBLAS_COMPUTE_32F_PEDANTIC;
}

CudaDevice::~CudaDevice() {
  cudaSetDevice(index_);
  cudaStreamSynchronize(stream());
}

void CudaDevice::make_current() const {
  check(cudaSetDevice(index_), "choosing a device");
}

Region CudaDevice::allocate(std::size_t n) {
  make_current();
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(n, 1) * sizeof(float)), "allocating memory");
  const Region region{static_cast<float*>(memory), n};
  check(cudaMemsetAsync(memory, 0, n * sizeof(float), stream()), "clearing memory");
  return region;
}

void CudaDevice::free(Region memory) noexcept {
  cudaStreamSynchronize(stream());  // somebody may still use it
  cudaFree(memory.data);
}

void CudaDevice::upload(std::span<const float> from, Region to) {
  staging_.upload(from, to.data);
}

void CudaDevice::download(Region from, std::span<float> to) {
  staging_.download(from.data, to);
}

std::unique_ptr<DevicePlan> CudaDevice::plan(const Graph& graph, std::uint32_t n_models,
                                             Exactness exactness) {
  return std::make_unique<CudaPlan>(*this, graph, n_models, exactness);
}

std::shared_ptr<DeviceBytes> CudaDevice::samples(const SampleSource& source) {
  constexpr std::size_t kAtOnce = 256;
  if (const auto known = samples_[source.identity()].lock()) return known;
  const std::size_t n = source.n_samples();
  const std::size_t size = source.sample_size();
  const auto made = std::make_shared<DeviceBytes>(n * size * sizeof(float));
  std::vector<std::uint32_t> indices(std::min(n, kAtOnce));
  std::vector<float> values(indices.size() * size);
  for (std::size_t first = 0; first < n; first += kAtOnce) {
    const std::size_t rows = std::min(kAtOnce, n - first);
    std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(first));
    const std::span<float> read = std::span(values).first(rows * size);
    source.read(std::span<const std::uint32_t>(indices).first(rows), read);
    staging_.upload(read, made->as<float>() + first * size);
  }
  samples_[source.identity()] = made;
  return made;
}

std::shared_ptr<DeviceBytes> CudaDevice::labels(const SampleSource& source) {
  if (const auto known = labels_[source.identity()].lock()) return known;
  std::vector<float> classes;
  for (std::uint32_t i = 0; i < source.n_samples(); ++i) {
    classes.push_back(static_cast<float>(source.label(i)));
  }
  const auto made = std::make_shared<DeviceBytes>(classes.size() * sizeof(float));
  staging_.upload(classes, made->as<float>());
  labels_[source.identity()] = made;
  return made;
}

}  // namespace lipizz::nn::cuda
