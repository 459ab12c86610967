#include "coev/sample_orders.hpp"

#include "core/random.hpp"

namespace lipizz::coev {

SampleOrders::SampleOrders(std::uint64_t seed, std::uint32_t n_train, double share)
    : seed_(seed), n_train_(n_train), n_samples_(static_cast<std::uint32_t>(share * n_train)) {}

std::size_t SampleOrders::bytes(std::size_t n_train, std::size_t n_cells) {
  return n_cells * n_train * sizeof(std::uint32_t);
}

std::span<const std::uint32_t> SampleOrders::of(CellId cell, std::uint32_t pass) {
  Order& order = orders_[cell];
  if (order.pass != pass) order = {pass, draw(cell, pass)};
  return order.indices;
}

std::vector<std::uint32_t> SampleOrders::draw(CellId cell, std::uint32_t pass) const {
  std::vector<std::uint32_t> order =
      Random(seed_, Purpose::kShuffle, cell, pass).permutation(n_samples_);
  if (n_samples_ == n_train_) return order;
  const std::vector<std::uint32_t> share =
      Random(seed_, Purpose::kDataShare, cell).permutation(n_train_);
  for (std::uint32_t& index : order) index = share[index];
  return order;
}

}  // namespace lipizz::coev
