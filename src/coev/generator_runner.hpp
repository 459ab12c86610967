#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "nn/base/engine.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/exec/device.hpp"
#include "nn/exec/inference.hpp"
#include "nn/network/models.hpp"

namespace lipizz::coev {

/// Has generators make samples, rows_at_once() of them in a call. A sample's bits depend on its
/// inputs, its class, and its place in the call that makes it, row r of a run being at place
/// r mod rows_at_once().
class GeneratorRunner {
 public:
  /// Writes the inputs [n, latent] of n rows from `first` on, and their classes [n], which is empty
  /// where the generator knows of none.
  using Fill = std::function<void(std::uint32_t first, std::uint32_t n, std::span<float> inputs,
                                  std::span<float> labels)>;
  /// Takes the samples [n, sample size] of the next rows.
  using Sink = std::function<void(std::span<const float> samples)>;

  /// The device must outlive it.
  GeneratorRunner(nn::Device& device, const nn::GanSpec& model);

  /// Bytes that its program and buffers take.
  static nn::PlanBytes bytes(const nn::GanSpec& model, const nn::Engine& engine);

  /// Rows 0 to n - 1 in order. generator: parameters [n_padded].
  void run(std::span<const float> generator, std::uint32_t n, const Fill& fill, const Sink& sink);

 private:
  std::uint32_t chunk_;
  std::uint32_t latent_;
  std::uint32_t sample_;
  nn::Inference generator_;
  nn::UploadScope uploads_;
  nn::HostDeviceBuffer inputs_;   // [chunk, latent]
  nn::HostDeviceBuffer samples_;  // [chunk, sample]
};

}  // namespace lipizz::coev
