#include "nn/cuda/staging.hpp"

#include <algorithm>
#include <cstring>

namespace lipizz::nn::cuda {

void Staging::upload(std::span<const float> from, float* to) {
  for (std::size_t first = 0; first < from.size(); first += kPiece) {
    Piece& piece = pieces_[turn_++ % pieces_.size()];
    const std::span<const float> part = from.subspan(first, std::min(kPiece, from.size() - first));
    check(cudaEventSynchronize(piece.is_over.get()), "waiting for a copy");
    std::memcpy(piece.memory.as<float>(), part.data(), part.size_bytes());
    check(cudaMemcpyAsync(to + first, piece.memory.as<float>(), part.size_bytes(),
                          cudaMemcpyHostToDevice, stream_),
          "copying to the device");
    check(cudaEventRecord(piece.is_over.get(), stream_), "marking a copy");
  }
}

// One piece is asked for ahead: it comes while the host copies the one before.
void Staging::download(const float* from, std::span<float> to) {
  const std::size_t n_pieces = (to.size() + kPiece - 1) / kPiece;
  const auto part = [&](std::size_t i) {
    return to.subspan(i * kPiece, std::min(kPiece, to.size() - i * kPiece));
  };
  for (std::size_t i = 0; i <= n_pieces; ++i) {
    if (i < n_pieces) {
      Piece& piece = pieces_[i % pieces_.size()];
      check(cudaMemcpyAsync(piece.memory.as<float>(), from + i * kPiece, part(i).size_bytes(),
                            cudaMemcpyDeviceToHost, stream_),
            "copying from the device");
      check(cudaEventRecord(piece.is_over.get(), stream_), "marking a copy");
    }
    if (i > 0) {
      const Piece& piece = pieces_[(i - 1) % pieces_.size()];
      check(cudaEventSynchronize(piece.is_over.get()), "waiting for a copy");
      std::memcpy(part(i - 1).data(), piece.memory.as<float>(), part(i - 1).size_bytes());
    }
  }
}

}  // namespace lipizz::nn::cuda
