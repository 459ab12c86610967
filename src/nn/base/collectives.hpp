#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "nn/base/shard.hpp"

namespace lipizz::nn {

/// Puts rows that are dealt out to ranks in turn [rows, n] in order, from those of the first rank,
/// of the second, and so on [rows, n].
inline void put_in_turn(std::span<const float> of_ranks, std::size_t n, std::size_t n_ranks,
                        std::span<float> all) {
  const std::size_t n_rows = n == 0 ? 0 : all.size() / n;
  const float* from = of_ranks.data();
  for (std::size_t rank = 0; rank < n_ranks; ++rank) {
    for (std::size_t row = rank; row < n_rows; row += n_ranks, from += n) {
      std::copy_n(from, n, &all[row * n]);
    }
  }
}

/// Visits a shard in pieces of so many elements, of which the last one may be shorter.
template <class Visit>
void for_pieces(const Shard& shard, std::size_t piece, const Visit& visit) {
  for (std::size_t first = shard.first; first < shard.end(); first += piece) {
    visit(Shard{first, std::min(piece, shard.end() - first)});
  }
}

/// The ranks that compute training steps together, as one of them sees it. But for values that go
/// from one to another, all of them make the same calls in the same order; a call returns when its
/// own result is there. One thread at a time uses it. It outlives the plans that use it.
class Collectives {
 public:
  virtual ~Collectives() = default;
  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;

  /// Adds up rows of a range of elements, as many as each rank has: the first ones in the order of
  /// ranks, then the second ones. Each gets the sums of its shard of that range in such blocks. All
  /// ranks together get the same bits on however many rows are dealt out in turn. `own` may lie in
  /// its place in the first row.
  virtual void reduce_scatter(std::span<const float> rows, const Shard& range, std::size_t block,
                              std::span<float> own) = 0;

  /// Joins the parts of all ranks, each of a size of its own, in the order of ranks. `own` may lie
  /// in its place in `all`.
  virtual void all_gather(std::span<const float> own, std::span<float> all) = 0;

  /// Each rank but rank 0, which has all, gets its own shard. `shards`: of each rank, the same
  /// everywhere; they may overlap and be empty. `all` is read at rank 0 alone, `own` written at the
  /// others.
  virtual void scatter(std::span<const float> all, std::span<const Shard> shards,
                       std::span<float> own) = 0;
  /// The other way round: rank 0 has its own in `all` already.
  virtual void gather(std::span<const float> own, std::span<const Shard> shards,
                      std::span<float> all) = 0;

  /// From one rank to another, which asks for as many; it does not wait for that. Those between two
  /// ranks come in the order in which they were sent.
  virtual void send(std::uint32_t to, std::span<const float> values) = 0;
  virtual void receive(std::uint32_t from, std::span<float> values) = 0;
  /// Says, where a rank sends so many next, that as many are asked for later, with
  /// receive_expected(), while others that come behind them are asked for before. Those that are
  /// expected of a rank are asked for in the order in which they were sent.
  virtual void expect(std::uint32_t from, std::size_t n) = 0;
  virtual void receive_expected(std::uint32_t from, std::span<float> values) = 0;

  /// All get the bytes of rank 0, whatever they pass.
  virtual void broadcast(Bytes& bytes) = 0;

  /// Joins rows of n that are dealt out to ranks in turn.
  void all_gather_in_turn(std::span<const float> own, std::size_t n, std::span<float> all) {
    std::vector<float> of_ranks(all.size());
    all_gather(own, of_ranks);
    put_in_turn(of_ranks, n, size(), all);
  }

  /// The sums of rows, [n, sum.size()] with an n of each rank's own, for all ranks. The sum may lie
  /// on the first row.
  void all_reduce(std::span<const float> rows, std::span<float> sum) {
    const Shard shard = shard_of(sum.size(), rank(), size(), 1);
    const std::span<float> own = sum.subspan(shard.first, shard.n);
    reduce_scatter(rows, {0, sum.size()}, 1, own);
    all_gather(own, sum);
  }
};

/// One of so many ranks, none of whom computes: for steps that are described and never run.
class NoRanks : public Collectives {
 public:
  explicit NoRanks(std::uint32_t size, std::uint32_t rank = 0) : size_(size), rank_(rank) {}
  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }
  void reduce_scatter(std::span<const float>, const Shard&, std::size_t,
                      std::span<float>) override {}
  void all_gather(std::span<const float>, std::span<float>) override {}
  void scatter(std::span<const float>, std::span<const Shard>, std::span<float>) override {}
  void gather(std::span<const float>, std::span<const Shard>, std::span<float>) override {}
  void send(std::uint32_t, std::span<const float>) override {}
  void receive(std::uint32_t, std::span<float>) override {}
  void expect(std::uint32_t, std::size_t) override {}
  void receive_expected(std::uint32_t, std::span<float>) override {}
  void broadcast(Bytes&) override {}

 private:
  std::uint32_t size_, rank_;
};

}  // namespace lipizz::nn
