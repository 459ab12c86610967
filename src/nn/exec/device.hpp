#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Floats that lie where a device works: in its own memory, or in the host's where it works there.
struct Region {
  float* data = nullptr;
  std::size_t size = 0;

  [[nodiscard]] Region part(std::size_t first, std::size_t n) const { return {data + first, n}; }
};

/// How exactly a plan multiplies: as its device was opened to, or in single precision whatever that
/// is, which judges are asked for.
enum class Exactness { kOfDevice, kStrict };

/// A graph prepared for a device and a number of models: nn/cpu/plan.hpp on the host, launches over
/// all models elsewhere. One thread uses a plan.
class DevicePlan {
 public:
  virtual ~DevicePlan() = default;

  /// Says where a slot of one model lies, from the next run() on.
  virtual void bind(SlotId slot, std::uint32_t model, Region memory) = 0;
  /// The same of the part of it that begins at `first`. InternalError where values lie across an
  /// end of it, and on devices that have no such thing.
  virtual void bind_part(SlotId slot, std::uint32_t model, std::size_t first, Region memory);
  /// The values of a setting for the next run() of one model: all of them are written before each
  /// run.
  virtual std::span<float> setting(SlotId slot, std::uint32_t model) = 0;
  /// Computes all models, or has the device do so after all that it was asked before.
  virtual void run() = 0;
  /// The number of launches of one run(), one after the other: kernels and copies of a GPU for all
  /// models together, operations of each model elsewhere.
  [[nodiscard]] virtual std::size_t n_launches() const = 0;
};

/// Where networks are trained and used: memory, copies, plans. A device does what it is asked in
/// that order; a download waits for it. One thread uses a device, prepared with
/// prepare_compute_thread().
class Device {
 public:
  virtual ~Device() = default;

  /// As the configuration names it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// True when it works in the host's memory, so that nothing has to be copied.
  [[nodiscard]] virtual bool is_host() const = 0;
  /// True when its training steps are fastest with all updates together
  /// (StepForm::updates_together).
  [[nodiscard]] virtual bool updates_together() const = 0;
  /// Threads that branches of a graph are computed on at the same time (Graph::set_branch).
  [[nodiscard]] virtual std::uint32_t n_threads() const { return 1; }
  /// The ranks whose devices compute training steps together with this one; null: it is alone.
  [[nodiscard]] virtual Collectives* collectives() const { return nullptr; }
  /// How these pass micro-batches on to each other; null: each has whole ones.
  [[nodiscard]] virtual const Pipeline* pipeline() const { return nullptr; }
  /// The ranks that compute other micro-batches, or the same stage of them; null: there are none.
  [[nodiscard]] Collectives* replicas() const {
    return pipeline() != nullptr ? pipeline()->other_replicas() : collectives();
  }

  /// Zeros. ConfigError when there is not enough memory for them.
  virtual Region allocate(std::size_t n) = 0;
  virtual void free(Region memory) noexcept = 0;
  virtual void upload(std::span<const float> from, Region to) = 0;
  virtual void download(Region from, std::span<float> to) = 0;

  virtual std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                           Exactness exactness) = 0;
};

/// Memory of a device, given back at the end; the device outlives it.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(Device& device, std::size_t n) : device_(&device), region_(device.allocate(n)) {}
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  ~DeviceMemory();

  [[nodiscard]] Region region() const { return region_; }

 private:
  Device* device_ = nullptr;
  Region region_;
};

/// Memory of a device that the host fills or reads. Where the device works in the host's memory the
/// two are one.
class HostDeviceBuffer {
 public:
  HostDeviceBuffer() = default;
  HostDeviceBuffer(Device& device, std::size_t n);

  [[nodiscard]] std::size_t size() const { return region().size; }
  [[nodiscard]] std::span<float> host();
  [[nodiscard]] Region region() const { return memory_.region(); }
  /// Brings the first `n` elements to the device, or from there.
  void push(std::size_t n);
  void pull(std::size_t n);

 private:
  Device* device_ = nullptr;
  DeviceMemory memory_;
  Buffer<float> host_;  // empty where the two are one
};

/// Host memory that a device works on for a while. The same memory is uploaded once, whoever asks
/// for it; it keeps its place and size until the end.
class UploadScope {
 public:
  explicit UploadScope(Device& device) : device_(device) {}

  Region upload(std::span<float> memory);        // what is written there comes back with finish()
  Region upload(std::span<const float> memory);  // is only read
  /// Brings what was written back into the host's memory; nothing is uploaded any more.
  void finish();

 private:
  struct Upload {
    const float* from;
    std::span<float> to;  // empty: only read
    DeviceMemory memory;
  };
  Region find_or_upload(std::span<const float> from, std::span<float> to);
  DeviceMemory take(std::size_t n);

  Device& device_;
  std::vector<Upload> uploads_;
  std::vector<DeviceMemory> spare_;
};

}  // namespace lipizz::nn
