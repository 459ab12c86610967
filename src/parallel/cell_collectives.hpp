#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/base/collectives.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::parallel {

/// Collectives of the ranks of a cell, by messages.
///
/// An all-reduce is a reduce-scatter and an all-gather: each rank adds up a part of the elements of
/// all and hands the sums on, so that it sends about twice as much as there is to be added, however
/// many ranks there are, but once more for each further row. Long parts travel in pieces, each with
/// all rows of a rank: sums of one piece are taken while the next one is on its way.
class CellCollectives final : public nn::Collectives {
 public:
  /// The link must outlive it. `piece`: elements of a message, at most.
  explicit CellCollectives(RankLink& link, std::size_t piece = kPiece)
      : link_(link), piece_(piece) {}

  /// Bytes that are under way at a rank in an all-reduce of so many elements, at most.
  static std::size_t bytes(std::size_t n_elements, std::size_t n_rows, std::size_t n_ranks);

  [[nodiscard]] std::uint32_t rank() const override { return link_.self().value; }
  [[nodiscard]] std::uint32_t size() const override { return link_.size(); }

  /// CommError where ranks disagree about sizes, as in the calls below.
  void all_reduce(std::span<const float> rows, std::span<float> sum) override;
  void all_gather(std::span<const float> own, std::span<float> all) override;
  void broadcast(Bytes& bytes) override;

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16U;  // stays in a cache
  struct Part;

  template <class Visit>
  void for_others(const Visit& visit) const;
  template <class Visit>
  void for_pieces(std::uint32_t rank, std::size_t n, const Visit& visit) const;
  Bytes added_up(std::span<const float> rows, std::size_t n, const Part& part);

  RankLink& link_;
  std::size_t piece_;
};

}  // namespace lipizz::parallel
