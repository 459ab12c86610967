#pragma once

#include <cstdint>
#include <span>

#include "core/bytes.hpp"

namespace lipizz::nn {

/// The ranks that compute training steps together, each a part of the micro-batches, as one of them
/// sees it (data parallelism). All of them make the same calls in the same order; a call returns
/// when its own result is there. One thread at a time uses it. It outlives the plans that use it.
class Collectives {
 public:
  virtual ~Collectives() = default;
  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;

  /// Adds up rows, [n, sum.size()] with an n of each rank's own, in the order of ranks and, within
  /// a rank, of rows. All get the same bits, and the same ones however the rows are dealt out. The
  /// sum may lie on the first row.
  virtual void all_reduce(std::span<const float> rows, std::span<float> sum) = 0;

  /// Joins the parts of all ranks, each of a size of its own, in the order of ranks. `own` may lie
  /// in its place in `all`.
  virtual void all_gather(std::span<const float> own, std::span<float> all) = 0;

  /// All get the bytes of rank 0, whatever they pass.
  virtual void broadcast(Bytes& bytes) = 0;
};

/// The first of so many ranks, none of whom computes: for steps that are described and never run.
class NoRanks final : public Collectives {
 public:
  explicit NoRanks(std::uint32_t size) : size_(size) {}
  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void all_reduce(std::span<const float>, std::span<float>) override {}
  void all_gather(std::span<const float>, std::span<float>) override {}
  void broadcast(Bytes&) override {}

 private:
  std::uint32_t size_;
};

}  // namespace lipizz::nn
