#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "nn/exec/device.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {

/// A network in inference mode: a row's result depends on that row (and its place in the batch)
/// alone. Serves generators (noise -> samples), discriminators (samples -> logits) and features.
class Inference {
 public:
  /// `n_layers` of the network from the start; all of them when 0.
  Inference(Device& device, const NetworkSpec& network, std::uint32_t batch, std::uint32_t n_models,
            std::uint32_t n_layers = 0, Exactness exactness = Exactness::kOfDevice);
  Inference(Inference&&) noexcept;
  Inference& operator=(Inference&&) noexcept;
  ~Inference();

  /// Several models may read the same input.
  /// input: [batch, inputs], output: [batch, outputs of the last layer asked for]
  void bind(std::uint32_t model, Region parameters, Region input, Region output);
  /// The classes of all models' rows, [batch] or empty; what is written there holds from the next
  /// run on.
  std::span<float> labels();
  void run();
  [[nodiscard]] std::uint32_t batch() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::nn
