#include "parallel/cell_collectives.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "core/error.hpp"

// Messages that ranks of one build never send; parallel/conformance.hpp has the rest.
namespace lipizz::parallel::cell_collectives_test {
namespace {

// The second of two ranks, whom the first one tells this.
class Told final : public RankLink {
 public:
  explicit Told(std::deque<std::size_t> sizes) : sizes_(std::move(sizes)) {}
  [[nodiscard]] RankInCell self() const override { return {1}; }
  [[nodiscard]] std::uint32_t size() const override { return 2; }
  void send(RankInCell, Bytes) override {}
  [[nodiscard]] Bytes receive(RankInCell) override {
    const std::size_t size = sizes_.at(0);
    sizes_.pop_front();
    return Bytes(size);
  }

 private:
  std::deque<std::size_t> sizes_;
};

TEST(CellCollectives, refuses_parts_of_another_size) {
  std::vector<float> ten(10);
  for (const std::deque<std::size_t>& sizes :
       {std::deque<std::size_t>{0}, {19}, {20, 16}, {20, 24}}) {
    Told link(sizes);
    EXPECT_THROW(CellCollectives(link).all_reduce(ten, ten), CommError);
  }
  for (const std::size_t size : {7U, 12U, 44U}) {
    Told link({size});
    EXPECT_THROW(CellCollectives(link).all_gather(std::span(ten).first(6), ten), CommError);
  }
}

// A length says nothing about what follows: nothing is allocated for it.
TEST(CellCollectives, refuses_a_broadcast_that_is_cut) {
  for (const std::deque<std::size_t>& sizes : {std::deque<std::size_t>{7}, {9}}) {
    Told link(sizes);
    Bytes bytes;
    EXPECT_THROW(CellCollectives(link).broadcast(bytes), CommError);
  }
}

}  // namespace
}  // namespace lipizz::parallel::cell_collectives_test
