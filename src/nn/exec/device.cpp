#include "nn/exec/device.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::nn {

void DevicePlan::bind_part(SlotId, std::uint32_t, std::size_t, Region) {
  throw InternalError("this device's plans have slots bound as a whole");
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)), region_(std::exchange(other.region_, {})) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(region_, other.region_);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (device_ != nullptr) device_->free(region_);
}

HostDeviceBuffer::HostDeviceBuffer(Device& device, std::size_t n)
    : device_(&device), memory_(device, n), host_(device.is_host() ? 0 : n) {}

std::span<float> HostDeviceBuffer::host() {
  return host_.empty() ? std::span<float>(region().data, region().size) : std::span<float>(host_);
}

void HostDeviceBuffer::push(std::size_t n) {
  if (!host_.empty()) device_->upload(host().first(n), region().part(0, n));
}

void HostDeviceBuffer::pull(std::size_t n) {
  if (!host_.empty()) device_->download(region().part(0, n), host().first(n));
}

Region UploadScope::upload(std::span<float> memory) {
  return find_or_upload(memory, memory);
}

Region UploadScope::upload(std::span<const float> memory) {
  return find_or_upload(memory, {});
}

Region UploadScope::find_or_upload(std::span<const float> from, std::span<float> to) {
  if (device_.is_host()) {
    // Nobody writes to memory that is only read; a region has one type of pointer.
    return {const_cast<float*>(from.data()), from.size()};
  }
  if (from.empty()) return {};
  const auto found = std::ranges::find(uploads_, from.data(), &Upload::from);
  if (found != uploads_.end()) {
    LIPIZZ_ASSERT(found->memory.region().size == from.size());
    if (!to.empty()) found->to = to;
    return found->memory.region();
  }
  uploads_.push_back({from.data(), to, take(from.size())});
  const Region region = uploads_.back().memory.region();
  device_.upload(from, region);
  return region;
}

void UploadScope::finish() {
  for (Upload& upload : uploads_) {
    if (!upload.to.empty()) device_.download(upload.memory.region(), upload.to);
    spare_.push_back(std::move(upload.memory));
  }
  uploads_.clear();
}

DeviceMemory UploadScope::take(std::size_t n) {
  const auto found =
      std::ranges::find(spare_, n, [](const DeviceMemory& memory) { return memory.region().size; });
  if (found == spare_.end()) return {device_, n};
  DeviceMemory memory = std::move(*found);
  spare_.erase(found);
  return memory;
}

}  // namespace lipizz::nn
