#include "parallel/cell_collectives.hpp"

#include <gmock/gmock.h>

#include <cstring>
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
    Bytes bytes(size, std::byte{0});
    if (size == sizeof first) std::memcpy(bytes.data(), &first, size);
    waits.push_back(collective_);
    return bytes;
  }
  void begin_collective(std::string_view name) override { collective_ = name; }

  std::uint64_t first = 0;                // the number that a message of its size holds
  std::vector<std::string_view> waits{};  // the collective of each message

 private:
  std::string_view collective_{};
  std::deque<std::size_t> sizes_;
};

TEST(CellCollectives, refuses_parts_of_another_size) {
  std::vector<float> ten(10);
  for (const std::deque<std::size_t>& sizes :
       {std::deque<std::size_t>{0}, {19}, {20, 16}, {20, 24}}) {
    Told link(sizes);
    EXPECT_THROW(CellCollectives(link).all_reduce(ten, ten), CommError) << sizes.front();
  }
  for (const std::size_t size : {7U, 12U, 44U}) {
    Told link({size});
    EXPECT_THROW(CellCollectives(link).all_gather(std::span(ten).first(6), ten), CommError);
  }
}

TEST(CellCollectives, refuses_values_of_another_number) {
  std::vector<float> ten(10);
  for (const std::size_t size : {0U, 36U, 41U, 44U}) {
    Told link({size});
    EXPECT_THROW(CellCollectives(link).receive(0, ten), CommError);
  }
}

TEST(CellCollectives, forgets_what_it_expected) {
  Told link({8, 16});
  link.first = 16;
  CellCollectives ranks(link);
  ranks.expect(0, 5);
  ranks.forget_expected();
  Bytes bytes;
  ranks.broadcast(bytes);
  EXPECT_EQ(bytes.size(), 16U);
}

TEST(CellCollectives, says_what_it_waits_in) {
  Told link({20, 20, 20, 20, 20, 8, 20});
  link.first = 20;
  CellCollectives ranks(link);
  std::vector<float> ten(10);
  const std::span<float> five = std::span(ten).first(5);
  ranks.all_reduce(ten, ten);
  ranks.receive(0, five);
  ranks.expect(0, five.size());
  ranks.scatter({}, std::vector<nn::Shard>(2), five);
  ranks.receive_expected(0, five);
  Bytes bytes;
  ranks.broadcast(bytes);
  EXPECT_THAT(link.waits,
              ::testing::ElementsAre("a reduce-scatter", "an all-gather", "a transfer", "a scatter",
                                     "a scatter", "a broadcast", "a broadcast"));
}

TEST(CellCollectives, says_that_it_waits_for_an_expected_one_or_in_a_gather) {
  Told link({20});
  CellCollectives ranks(link);
  std::vector<float> five(5);
  ranks.expect(0, five.size());
  ranks.gather(five, std::vector<nn::Shard>(2), {});
  ranks.receive_expected(0, five);
  EXPECT_THAT(link.waits, ::testing::ElementsAre("a transfer"));
}

// A length says nothing about what follows: nothing is allocated for it.
TEST(CellCollectives, refuses_a_broadcast_that_is_cut) {
  for (const std::deque<std::size_t>& sizes : {std::deque<std::size_t>{7}, {9}}) {
    Told link(sizes);
    Bytes bytes;
    EXPECT_THROW(CellCollectives(link).broadcast(bytes), CommError);
  }
  for (const std::uint64_t length : {std::uint64_t{100}, std::uint64_t{1} << 60U}) {
    Told link({8, 16, 15});
    link.first = length;
    Bytes bytes;
    EXPECT_THROW(CellCollectives(link, 4).broadcast(bytes), CommError);
    EXPECT_LE(bytes.capacity(), 64U);
  }
}

}  // namespace
}  // namespace lipizz::parallel::cell_collectives_test
