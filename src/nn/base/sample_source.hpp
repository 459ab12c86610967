#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lipizz::nn {

/// Samples that training steps take theirs from, addressed by index. A device that has no part in
/// the host's memory reads all of them once. It outlives the plans that use it.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  [[nodiscard]] virtual std::uint32_t n_samples() const = 0;
  [[nodiscard]] virtual std::uint32_t sample_size() const = 0;
  /// out: [indices.size(), sample_size()]
  virtual void read(std::span<const std::uint32_t> indices, std::span<float> out) const = 0;
  /// The same for all sources of the same samples, and of no others meanwhile.
  [[nodiscard]] virtual const void* identity() const { return this; }
  /// Asked for where samples have classes.
  [[nodiscard]] virtual std::uint32_t label(std::uint32_t index) const = 0;
};

/// Samples of some size, of which none is read: for steps that are described and never run.
class NoSamples final : public SampleSource {
 public:
  explicit NoSamples(std::uint32_t size) : size_(size) {}
  [[nodiscard]] std::uint32_t n_samples() const override { return 0; }
  [[nodiscard]] std::uint32_t sample_size() const override { return size_; }
  void read(std::span<const std::uint32_t>, std::span<float>) const override {}
  [[nodiscard]] std::uint32_t label(std::uint32_t) const override { return 0; }

 private:
  std::uint32_t size_;
};

}  // namespace lipizz::nn
