#pragma once

#include <cstdint>
#include <span>

#include "core/bytes.hpp"
#include "nn/base/shard.hpp"

namespace lipizz::nn {

/// The ranks that compute training steps together, each a part of the micro-batches, as one of them
/// sees it (data parallelism). All of them make the same calls in the same order; a call returns
/// when its own result is there. One thread at a time uses it. It outlives the plans that use it.
class Collectives {
 public:
  virtual ~Collectives() = default;
  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;

  /// Adds up rows of n, as many as each rank has, in the order of ranks and, within a rank, of
  /// rows. Each gets the sums of its shard of n elements in such blocks. All ranks together get the
  /// same bits however the rows are dealt out. `own` may lie in its place in the first row.
  virtual void reduce_scatter(std::span<const float> rows, std::size_t n, std::size_t block,
                              std::span<float> own) = 0;

  /// Joins the parts of all ranks, each of a size of its own, in the order of ranks. `own` may lie
  /// in its place in `all`.
  virtual void all_gather(std::span<const float> own, std::span<float> all) = 0;

  /// Rank 0 passes n elements, and each other rank gets its shard of them in blocks of kShardBlock.
  virtual void scatter(std::span<float> values, std::size_t n) = 0;
  /// The other way round: rank 0 passes space for n elements, in which its own shard lies already.
  virtual void gather(std::span<float> values, std::size_t n) = 0;

  /// All get the bytes of rank 0, whatever they pass.
  virtual void broadcast(Bytes& bytes) = 0;

  /// The sums of rows, [n, sum.size()] with an n of each rank's own, for all ranks. The sum may lie
  /// on the first row.
  void all_reduce(std::span<const float> rows, std::span<float> sum) {
    const Shard shard = shard_of(sum.size(), rank(), size(), 1);
    const std::span<float> own = sum.subspan(shard.first, shard.n);
    reduce_scatter(rows, sum.size(), 1, own);
    all_gather(own, sum);
  }
};

/// One of so many ranks, none of whom computes: for steps that are described and never run.
class NoRanks final : public Collectives {
 public:
  explicit NoRanks(std::uint32_t size, std::uint32_t rank = 0) : size_(size), rank_(rank) {}
  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void reduce_scatter(std::span<const float>, std::size_t, std::size_t, std::span<float>) override {
  }
  void all_gather(std::span<const float>, std::span<float>) override {}
  void scatter(std::span<float>, std::size_t) override {}
  void gather(std::span<float>, std::size_t) override {}
  void broadcast(Bytes&) override {}

 private:
  std::uint32_t size_, rank_;
};

}  // namespace lipizz::nn
