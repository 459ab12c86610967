#include "nn/cuda/cudnn.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace lipizz::nn::cuda {
namespace {

// The library's identifiers of the three tensors.
enum TensorId : std::int64_t { kX = 1, kWeights = 2, kY = 3 };

Descriptor tensor(TensorId id, cudnnDataType_t type, std::vector<std::int64_t> dimensions,
                  std::vector<std::int64_t> strides) {
  constexpr std::int64_t kAlignmentBytes = 16;
  Descriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, std::int64_t{id})
      .set(CUDNN_ATTR_TENSOR_DATA_TYPE, type)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::move(dimensions))
      .set(CUDNN_ATTR_TENSOR_STRIDES, std::move(strides))
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignmentBytes)
      .finish("describing a tensor");
  return tensor;
}

// [n, H, W, C] in memory, which the library counts as [n, C, H, W].
Descriptor images(TensorId id, cudnnDataType_t type, const Shape& shape) {
  const std::int64_t h = shape[1], w = shape[2], c = shape[3];
  return tensor(id, type, {shape[0], c, h, w}, {h * w * c, 1, w * c, c});
}

// [O, k, k, C] in memory, counted as [O, C, k, k].
Descriptor filter(cudnnDataType_t type, const ConvolutionShape& shape) {
  const std::int64_t k = shape.window.kernel, c = shape.x[3], o = shape.y[3];
  return tensor(kWeights, type, {o, c, k, k}, {k * k * c, 1, k * c, c});
}

Descriptor window(const Window& window) {
  const auto both = [](std::int64_t value) { return std::vector<std::int64_t>(2, value); };
  Descriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2})
      .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, both(window.padding))
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, both(window.padding))
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, both(1))
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, both(window.stride))
      .finish("describing a convolution");
  return convolution;
}

Descriptor operation(const ConvolutionShape& shape, ConvolutionProduct which,
                     cudnnDataType_t type) {
  const Descriptor x = images(kX, type, shape.x);
  const Descriptor y = images(kY, type, shape.y);
  const Descriptor weights = filter(type, shape);
  const Descriptor convolution = window(shape.window);
  const auto make = [&](cudnnBackendDescriptorType_t kind, cudnnBackendAttributeName_t x_name,
                        cudnnBackendAttributeName_t weights_name,
                        cudnnBackendAttributeName_t y_name,
                        cudnnBackendAttributeName_t convolution_name,
                        cudnnBackendAttributeName_t alpha, cudnnBackendAttributeName_t beta) {
    Descriptor made(kind);
    made.set(x_name, x)
        .set(weights_name, weights)
        .set(y_name, y)
        .set(convolution_name, convolution)
        .set(alpha, 1.0f)
        .set(beta, 0.0f)
        .finish("describing an operation");
    return made;
  };
  switch (which) {
    case ConvolutionProduct::kForward:
      return make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA);
    case ConvolutionProduct::kInputGradient:
      return make(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA);
    case ConvolutionProduct::kWeightGradient:
      return make(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA);
  }
  throw InternalError("an unknown product of a convolution");
}

// The library's proposals in its own order, none where it cannot tell; those that do not work are
// left to the caller.
std::vector<Descriptor> proposals(const Descriptor& graph, const Descriptor* described_device,
                                  cudnnBackendHeurMode_t mode) {
  constexpr std::int64_t kMost = 8;
  Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
  if (described_device) heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *described_device);
  if (cudnn_library().finalize(heuristics.get()) != CUDNN_STATUS_SUCCESS) return {};
  std::vector<Descriptor> found;
  std::vector<cudnnBackendDescriptor_t> handles;
  for (std::int64_t i = 0; i < kMost; ++i) {
    found.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    handles.push_back(found.back().get());
  }
  std::int64_t n = 0;
  const auto status =
      cudnn_library().get_attribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                    CUDNN_TYPE_BACKEND_DESCRIPTOR, kMost, &n, handles.data());
  found.erase(found.begin() + (status == CUDNN_STATUS_SUCCESS ? std::min(n, kMost) : 0),
              found.end());
  return found;
}

// True when an engine gives the same bits each time.
bool is_deterministic(const Descriptor& engine_configuration) {
  constexpr std::int64_t kMost = CUDNN_NUMERICAL_NOTE_TYPE_COUNT;
  const Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  cudnnBackendDescriptor_t handle = engine.get();
  std::int64_t n = 0;
  check(cudnn_library().get_attribute(engine_configuration.get(), CUDNN_ATTR_ENGINECFG_ENGINE,
                                      CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n, &handle),
        "asking for an engine");
  std::array<cudnnBackendNumericalNote_t, kMost> notes{};
  check(cudnn_library().get_attribute(handle, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                      CUDNN_TYPE_NUMERICAL_NOTE, kMost, &n, notes.data()),
        "asking what is to be noted of an engine");
  const auto end = notes.begin() + std::min(n, kMost);
  return std::find(notes.begin(), end, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) == end;
}

}  // namespace

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t made = nullptr;
  check(cudnn_library().create_descriptor(type, &made), "making a descriptor");
  descriptor_.reset(made);
}

Descriptor& Descriptor::set_values(cudnnBackendAttributeName_t name,
                                   cudnnBackendAttributeType_t type, std::size_t n,
                                   const void* values) {
  check(cudnn_library().set_attribute(get(), name, type, static_cast<std::int64_t>(n), values),
        "setting an attribute");
  return *this;
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::int64_t value) {
  return set_values(name, CUDNN_TYPE_INT64, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::vector<std::int64_t> values) {
  return set_values(name, CUDNN_TYPE_INT64, values.size(), values.data());
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, float value) {
  return set_values(name, CUDNN_TYPE_FLOAT, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnDataType_t value) {
  return set_values(name, CUDNN_TYPE_DATA_TYPE, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnConvolutionMode_t value) {
  return set_values(name, CUDNN_TYPE_CONVOLUTION_MODE, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnBackendHeurMode_t value) {
  return set_values(name, CUDNN_TYPE_HEUR_MODE, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnHandle_t value) {
  return set_values(name, CUDNN_TYPE_HANDLE, 1, &value);
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::vector<void*> values) {
  return set_values(name, CUDNN_TYPE_VOID_PTR, values.size(), values.data());
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::string_view text) {
  return set_values(name, CUDNN_TYPE_CHAR, text.size(), text.data());
}
Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
  const cudnnBackendDescriptor_t handle = value.get();
  return set_values(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &handle);
}
Descriptor& Descriptor::finish(const char* what) {
  check(cudnn_library().finalize(get()), what);
  return *this;
}

Descriptor plan_convolution(cudnnHandle_t handle, const Descriptor* described_device,
                            const ConvolutionShape& shape, ConvolutionProduct which,
                            cudnnDataType_t type) {
  const Descriptor product = operation(shape, which, type);
  Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, product);
  if (!described_device) graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
  graph.finish("making a graph");
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (const Descriptor& engine : proposals(graph, described_device, mode)) {
      if (!is_deterministic(engine)) continue;
      Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine);
      if (described_device) {
        plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *described_device);
      } else {
        plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle);
      }
      if (cudnn_library().finalize(plan.get()) == CUDNN_STATUS_SUCCESS) return plan;
    }
  }
  throw InternalError("cuDNN has no way of the same bits each time to compute a convolution " +
                      to_string(shape.x) + " -> " + to_string(shape.y));
}

LibraryConvolution::LibraryConvolution(cudnnHandle_t handle, const ConvolutionShape& shape,
                                       ConvolutionProduct which, cudnnDataType_t type)
    : handle_(handle), plan_(plan_convolution(handle, nullptr, shape, which, type)) {
  std::int64_t n_bytes = 0;
  std::int64_t n = 0;
  check(cudnn_library().get_attribute(plan_.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                      CUDNN_TYPE_INT64, 1, &n, &n_bytes),
        "asking for its workspace");
  workspace_bytes_ = static_cast<std::size_t>(n_bytes);
}

void LibraryConvolution::run(void* x, void* weights, void* y, void* workspace) const {
  Descriptor values(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  values.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::vector<std::int64_t>{kX, kWeights, kY})
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::vector<void*>{x, weights, y})
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, std::vector<void*>{workspace})
      .finish("naming its values");
  check(cudnn_library().execute(handle_, plan_.get(), values.get()), "a convolution");
}

const LibraryConvolution& LibraryConvolutions::find(const ConvolutionShape& shape,
                                                    ConvolutionProduct which) {
  const std::pair key(shape, which);
  const auto found = planned_.find(key);
  if (found != planned_.end()) return found->second;
  if (!handle_) handle_ = make_cudnn(stream_);
  return planned_.emplace(key, LibraryConvolution(handle_.get(), shape, which, type_))
      .first->second;
}

}  // namespace lipizz::nn::cuda
