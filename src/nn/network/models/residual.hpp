#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nn/network/network.hpp"

/// The blocks that residual networks are built of.
namespace lipizz::nn {

/// A network in the making; each function returns the number of the layer that it added. Without
/// `from` a layer takes the result of the one before.
class ResidualBuilder {
 public:
  using From = std::vector<std::uint32_t>;

  ResidualBuilder(NetworkSpec network, bool has_spectral_norm)
      : network_(std::move(network)), has_spectral_norm_(has_spectral_norm) {}

  /// Sets the gain of the residual path's convolutions.
  void set_gain(float gain) { gain_ = gain; }

  std::uint32_t linear(std::uint32_t outputs, bool has_bias = true, From from = {});
  std::uint32_t reshape(Shape shape);
  std::uint32_t convolution3(std::uint32_t outputs);                  // 3x3, of a residual path
  std::uint32_t convolution1(std::uint32_t outputs, From from = {});  // of a shortcut
  std::uint32_t relu();
  std::uint32_t resample(const LayerKind& kind, std::uint32_t dimension = 2, From from = {});
  std::uint32_t sum(std::uint32_t a, std::uint32_t b);
  /// ReLU of batch norm of layer `input`; where rows have classes, scale and shift are embeddings
  /// of the class, or linear in the layer `condition`. With Glorot's initial weights they begin
  /// without effect, with normal ones with little.
  std::uint32_t conditional_norm(std::uint32_t channels, std::uint32_t input,
                                 std::optional<std::uint32_t> condition);
  std::uint32_t self_attention();
  /// ReLU of batch norm with a scale and shift for all.
  std::uint32_t norm();
  /// Behind the logit: the projection of the layer `features`.
  void project(std::uint32_t features, std::uint32_t channels);

  /// BN-ReLU-up-conv3-BN-ReLU-conv3 of layer `input`, which has `before` channels, beside up-conv1;
  /// norms as above.
  void up_block(std::uint32_t before, std::uint32_t channels, std::uint32_t input,
                std::optional<std::uint32_t> condition = {});
  /// conv3-ReLU-conv3-pool, beside pool-conv1.
  void first_down_block(std::uint32_t channels);
  /// ReLU-conv3-ReLU-conv3, beside the input itself; halved, pool after each, conv1 before the
  /// latter.
  void block(std::uint32_t channels, bool is_halved);

  std::uint32_t add(Layer layer);
  [[nodiscard]] std::uint32_t last() const {
    return static_cast<std::uint32_t>(network_.layers.size());
  }
  [[nodiscard]] NetworkSpec take() { return std::move(network_); }

 private:
  NetworkSpec network_;
  bool has_spectral_norm_;
  float gain_ = 1;
};

}  // namespace lipizz::nn
