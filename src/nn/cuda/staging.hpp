#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "nn/cuda/api.hpp"

namespace lipizz::nn::cuda {

/// Copies between the host's memory and a device's by way of pieces that are page-locked: a piece
/// is on the bus while the host copies the next one. In the order of one stream.
class Staging {
 public:
  /// The stream outlives it.
  explicit Staging(cudaStream_t stream) : stream_(stream) {}

  /// Returns as soon as `from` may be changed.
  void upload(std::span<const float> from, float* to);
  /// Returns when all of it is there.
  void download(const float* from, std::span<float> to);

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;  // floats
  struct Piece {
    PinnedBytes memory{kPiece * sizeof(float)};
    Event is_over = make_event();
  };

  cudaStream_t stream_;
  std::array<Piece, 2> pieces_;
  std::size_t turn_ = 0;  // of uploads
};

}  // namespace lipizz::nn::cuda
