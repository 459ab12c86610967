#include "nn/cuda/cudnn.hpp"

#include <gtest/gtest.h>

#include <set>

#include "nn/graph/operations.hpp"
#include "nn/network/models.hpp"
#include "nn/support.hpp"
#include "nn/train/step_graphs.hpp"

// The library plans for a device that is only described, so that what it makes of our descriptors
// is seen where there is none.
namespace lipizz::nn::cuda::cudnn_test {
namespace {

constexpr std::string_view kH200 =
    R"({"deviceVer":900,"cudaDeviceId":0,"driverVer":13000,"totalGlobalMem":150754820096,)"
    R"("maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"regsPerBlock":65536,)"
    R"("multiProcessorCount":132,"warpSize":32,"maxSharedMemoryPerBlock":49152,)"
    R"("maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,)"
    R"("maxRegistersPerSM":65536,"maxCtasPerSM":32,"maxThreadsPerBlock":1024,)"
    R"("maxThreadsPerSM":2048,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,)"
    R"("smClockRateKHz":1980000,"memClockRateKHz":3201000,"l2CacheSize":62914560,)"
    R"("deviceName":"NVIDIA H200"})";

Descriptor described(std::string_view device) {
  Descriptor descriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  descriptor.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, device).finish("describing a device");
  return descriptor;
}

std::set<ConvolutionShape> shapes_of(const GanSpec& gan, std::uint32_t batch) {
  std::set<ConvolutionShape> shapes;
  for (const auto& make : {generator_step_graph, discriminator_step_graph}) {
    const Graph graph = make(gan, {}, batch, {}, {}).graph;
    for (const ValueId value : graph.live_operations()) {
      if (is_convolution(graph, value)) shapes.insert(convolution_shape(graph, value));
    }
  }
  return shapes;
}

void expect_plans(const std::set<ConvolutionShape>& shapes) {
  const Descriptor h200 = described(kH200);
  for (const ConvolutionShape& shape : shapes) {
    for (const auto which : {ConvolutionProduct::kForward, ConvolutionProduct::kInputGradient,
                             ConvolutionProduct::kWeightGradient}) {
      for (const auto type : {CUDNN_DATA_FLOAT, CUDNN_DATA_BFLOAT16}) {
        EXPECT_NO_THROW(plan_convolution(nullptr, &h200, shape, which, type));
      }
    }
  }
}

TEST(LibraryConvolutions, are_planned_for_the_layers_of_models) {
  for (const char* model : {"dcgan28", "dcgan64", "sngan32", "biggan32", "pix2pix"}) {
    const auto shapes = shapes_of(make_model(model), 64);
    EXPECT_GE(shapes.size(), 3U) << model;
    expect_plans(shapes);
  }
}

TEST(LibraryConvolutions, are_planned_for_odd_sizes) {
  expect_plans(shapes_of(testing::tiny_image_gan(), 7));
  expect_plans(shapes_of(testing::tiny_image_gan(), 1));
}

TEST(LibraryConvolutions, a_device_that_makes_no_sense_has_none) {
  EXPECT_THROW(described("{"), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::cuda::cudnn_test
