#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "nn/base/collectives.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::parallel {

/// Collectives of the ranks of a cell, by messages.
///
/// In a reduce-scatter each rank sends all but its own part of its rows once, however many ranks
/// there are; an all-gather sends as much as that of one row. Long parts travel in pieces, those of
/// sums with all rows of a rank: one is added up while the next one is on its way.
class CellCollectives final : public nn::Collectives {
 public:
  /// The link must outlive it. `piece`: elements of a message, at most.
  explicit CellCollectives(RankLink& link, std::size_t piece = kPiece)
      : link_(link), piece_(piece) {}

  /// Bytes that are under way at a rank while so many elements are added up and handed on, at most.
  static std::size_t bytes(std::size_t n_elements, std::size_t n_rows, std::size_t n_ranks);

  [[nodiscard]] std::uint32_t rank() const override { return link_.self().value; }
  [[nodiscard]] std::uint32_t size() const override { return link_.size(); }

  /// CommError where ranks disagree about sizes, as in the calls below.
  void reduce_scatter(std::span<const float> rows, const nn::Shard& range, std::size_t block,
                      std::span<float> own) override;
  void all_gather(std::span<const float> own, std::span<float> all) override;
  void scatter(std::span<const float> all, std::span<const nn::Shard> shards,
               std::span<float> own) override;
  void gather(std::span<const float> own, std::span<const nn::Shard> shards,
              std::span<float> all) override;
  void send(std::uint32_t to, std::span<const float> values) override;
  void receive(std::uint32_t from, std::span<float> values) override;
  void expect(std::uint32_t from, std::size_t n) override;
  void receive_expected(std::uint32_t from, std::span<float> values) override;
  void broadcast(Bytes& bytes) override;

  /// Values that are still expected never come: ranks begin anew after some were lost.
  void forget_expected() { expected_.clear(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16U;  // stays in a cache

  void receive_values(std::uint32_t from, std::span<float> values);
  template <class Visit>
  void for_others(const Visit& visit) const;
  void add_up(std::span<const float> rows, std::size_t n, const nn::Shard& piece,
              std::span<float> sum);
  void send_part(std::span<const float> part);
  [[nodiscard]] std::size_t receive_part(RankInCell from, std::span<float> space);
  template <class Next>
  void receive_pieces(std::span<float> values, const Next& next);

  /// Messages of a rank that are asked for later than what comes behind them.
  struct Expected {
    std::size_t n_under_way = 0;
    std::deque<Bytes> here{};
  };
  [[nodiscard]] Expected& expected(RankInCell from);
  [[nodiscard]] Bytes next(RankInCell from);
  [[nodiscard]] Bytes next_expected(RankInCell from);

  RankLink& link_;
  std::size_t piece_;
  std::vector<Expected> expected_{};  // by rank
};

}  // namespace lipizz::parallel
