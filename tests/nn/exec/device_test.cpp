#include "nn/exec/device.hpp"

#include <gtest/gtest.h>

#include "nn/support.hpp"

namespace lipizz::nn::device_test {
namespace {

TEST(Device, begin_their_memory_with_zeros_and_get_it_back) {
  testing::FarDevice device({});
  {
    DeviceMemory one(device, 5);
    DeviceMemory other = std::move(one);
    std::vector<float> found(5, 1.0f);
    device.download(other.region(), found);
    EXPECT_EQ(found, std::vector<float>(5));
    other = DeviceMemory(device, 7);
    EXPECT_EQ(other.region().size, 7U);
    EXPECT_EQ(device.n_regions, 1);
  }
  EXPECT_EQ(device.n_regions, 0);
}

TEST(Device, see_what_the_host_pushes_and_show_it_what_it_pulls) {
  for (const auto& device : testing::devices()) {
    HostDeviceBuffer mirror(*device, 3);
    std::ranges::fill(mirror.host(), 2.0f);
    mirror.push(2);
    std::vector<float> found(2);
    device->download(mirror.region().part(0, 2), found);
    EXPECT_EQ(found, std::vector<float>(2, 2.0f));
    device->upload(std::vector<float>{8.0f, 9.0f}, mirror.region().part(1, 2));
    mirror.pull(3);
    EXPECT_EQ(mirror.host()[0], 2.0f);
    EXPECT_EQ(mirror.host()[2], 9.0f);
  }
}

TEST(UploadScope, come_back_changed_where_they_may_be_written) {
  for (const auto& device : testing::devices()) {
    std::vector<float> written{1, 2};
    const std::vector<float> read{3, 4};
    UploadScope uploads(*device);
    const Region a = uploads.upload(std::span<float>(written));
    const Region b = uploads.upload(std::span<const float>(read));
    EXPECT_EQ(uploads.upload(std::span<const float>(written)).data, a.data);  // still one of both
    std::vector<float> found(2);
    device->download(b, found);
    EXPECT_EQ(found, read);
    device->upload(std::vector<float>{5, 6}, a);
    uploads.finish();
    EXPECT_EQ(written, (std::vector<float>{5, 6}));
  }
}

TEST(UploadScope, use_a_devices_memory_again) {
  testing::FarDevice device({});
  const std::vector<float> some(4);
  std::vector<float> others(4);
  UploadScope uploads(device);
  for (int i = 0; i < 3; ++i) {
    uploads.upload(std::span<const float>(some));
    uploads.upload(std::span<float>(others));
    EXPECT_EQ(device.n_regions, 2);
    uploads.finish();
  }
  EXPECT_EQ(uploads.upload(std::span<const float>()).size, 0U);
}

}  // namespace
}  // namespace lipizz::nn::device_test
