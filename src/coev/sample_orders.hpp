#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::coev {

/// The order in which each cell reads the training samples, or its share of them (data dieting,
/// Toutouh et al. 2020): another one in each pass and for each cell. The share is the same in every
/// pass. Drawing an order takes a random number a sample, so that each cell's last one is kept:
/// generations may be a small part of a pass.
class SampleOrders {
 public:
  /// share: of n_train samples, above 0, at most 1.
  SampleOrders(std::uint64_t seed, std::uint32_t n_train, double share);

  /// Bytes that the orders of so many cells take at most.
  static std::size_t bytes(std::size_t n_train, std::size_t n_cells);

  /// Samples of a pass, one at least.
  [[nodiscard]] std::uint32_t n_samples() const { return n_samples_; }
  /// The indices of a pass, counted from 1: [n_samples]. Good until another pass of the cell is
  /// asked for.
  std::span<const std::uint32_t> of(CellId cell, std::uint32_t pass);

 private:
  struct Order {
    std::uint32_t pass = 0;
    std::vector<std::uint32_t> indices;
  };
  [[nodiscard]] std::vector<std::uint32_t> draw(CellId cell, std::uint32_t pass) const;

  std::uint64_t seed_;
  std::uint32_t n_train_;
  std::uint32_t n_samples_;
  std::map<CellId, Order> orders_;
};

}  // namespace lipizz::coev
