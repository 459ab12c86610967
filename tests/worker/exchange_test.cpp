#include "worker/exchange.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <tuple>

#include "coev/interrupted.hpp"
#include "core/error.hpp"
#include "grid/neighbourhood.hpp"

namespace lipizz::worker::exchange_test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct Sent {
  Rank to;
  comm::PublicationHeader header;
  Publication publication;
};

// Where a message goes: rank, receiving cell, generation, side.
std::tuple<int, std::uint32_t, Generation, std::uint32_t> where(const Sent& sent) {
  return {sent.to.value, sent.header.destination.value, sent.header.generation,
          sent.header.direction};
}

struct Fixture {
  explicit Fixture(Routes routes) { exchange.begin(std::move(routes)); }

  std::vector<decltype(where(Sent{}))> addresses() const {
    std::vector<decltype(where(Sent{}))> all;
    for (const Sent& each : sent) all.push_back(where(each));
    return all;
  }

  void publish(CellId source, Generation generation, const Bytes& publication) {
    exchange.publish(source, generation, [&] { return publication; });
  }

  // Waits for as long as it takes.
  Publication take(CellId reader, CellId neighbour, Generation generation) {
    return exchange.take(reader, neighbour, generation);
  }

  // Cell 1's publication for cell 0.
  void deliver(std::uint32_t incarnation, Generation generation, Bytes publication) {
    exchange.deliver(
        {.source = {1}, .destination = {0}, .incarnation = incarnation, .generation = generation},
        std::move(publication));
  }

  std::vector<Sent> sent;
  Exchange exchange{[this](std::span<const comm::Reader> readers, const Publication& publication) {
    for (const auto& [to, header] : readers) sent.push_back({to, header, publication});
  }};
};

Routes routes_on(grid::Torus torus, std::string_view neighbourhood, std::vector<Rank> ranks,
                 Rank self) {
  return {torus, grid::Schedule(grid::find_neighbourhood(neighbourhood)), 9, std::move(ranks),
          self};
}

// Cell 0 on rank 1, its neighbour on rank 2.
Routes half_of_two(std::uint32_t incarnation = 1) {
  Routes routes = routes_on({1, 2}, "cross5", {Rank{1}, Rank{2}}, Rank{1});
  routes.incarnation = incarnation;
  return routes;
}

Bytes some_bytes(std::size_t n) {
  return Bytes(n, std::byte{7});
}

// 3x3, a rank for each cell. The centre, cell 4, lies below cell 1, above 7, right of 3, left of 5;
// cross5 counts north, south, west, east.
TEST(Exchange, sends_to_each_reader_with_the_side_that_it_comes_from) {
  std::vector<Rank> ranks;
  for (int cell = 0; cell < 9; ++cell) ranks.push_back({cell + 1});
  Fixture cell(routes_on({3, 3}, "cross5", ranks, Rank{5}));
  cell.publish({4}, 2, some_bytes(10));
  EXPECT_THAT(cell.addresses(),
              UnorderedElementsAre(std::tuple(2, 1, 2, 1), std::tuple(8, 7, 2, 0),
                                   std::tuple(4, 3, 2, 3), std::tuple(6, 5, 2, 2)));
  EXPECT_EQ(cell.sent[0].header.source, CellId{4});
  EXPECT_EQ(*cell.sent[0].publication, some_bytes(10));
  for (const Sent& each : cell.sent) EXPECT_EQ(each.publication, cell.sent[0].publication);
  EXPECT_EQ(cell.exchange.traffic({4}).messages, 4U);
  EXPECT_EQ(cell.exchange.traffic({4}).bytes, 4U * (24 + 10));
}

TEST(Exchange, of_a_cell_that_is_read_on_its_worker_alone_nothing_is_made) {
  Fixture worker(routes_on({1, 2}, "cross5", {Rank{1}, Rank{1}}, Rank{1}));
  EXPECT_TRUE(worker.exchange.is_local({1}));
  worker.exchange.publish({0}, 0, []() -> Bytes { throw InternalError("nobody reads it"); });
  EXPECT_TRUE(worker.sent.empty());
  EXPECT_EQ(worker.exchange.traffic({0}).messages, 0U);
}

TEST(Exchange, waits_for_what_has_not_arrived_and_tells_generations_apart) {
  Fixture worker(half_of_two());
  std::jthread neighbour([&] {
    worker.deliver(1, 1, some_bytes(11));
    worker.deliver(1, 0, some_bytes(10));
  });
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 10U);
  EXPECT_EQ(worker.take({0}, {1}, 1)->size(), 11U);
}

TEST(Exchange, readers_follow_the_schedule) {
  const grid::Schedule schedule({{0, &grid::find_neighbourhood("isolated")},
                                 {3, &grid::find_neighbourhood("ring3")},
                                 {10, &grid::find_neighbourhood("cross5")}});
  std::vector<Rank> ranks;
  for (int cell = 0; cell < 9; ++cell) ranks.push_back({cell + 1});
  Fixture cell({{3, 3}, schedule, 9, ranks, Rank{5}});
  cell.publish({4}, 0, {});
  cell.publish({4}, 1, {});
  EXPECT_TRUE(cell.sent.empty()) << "nobody reads publication 1 in generation 2";
  cell.publish({4}, 2, {});
  EXPECT_THAT(cell.addresses(),
              UnorderedElementsAre(std::tuple(4, 3, 2, 1), std::tuple(6, 5, 2, 0)));
  cell.publish({4}, 9, {});
  EXPECT_EQ(cell.sent.size(), 4U) << "the last one is read by the last generation's neighbours";
}

TEST(Exchange, refuses_publications_that_make_no_sense) {
  std::vector<Rank> ranks;
  for (int cell = 0; cell < 9; ++cell) ranks.push_back({cell + 1});
  Fixture cell(routes_on({3, 3}, "cross5", ranks, Rank{5}));
  const comm::PublicationHeader good{
      .source = {1}, .destination = {4}, .incarnation = 1, .generation = 0, .direction = 0};
  EXPECT_NO_THROW(cell.exchange.deliver(good, {}));
  auto refused = [&](auto change) {
    comm::PublicationHeader header = good;
    change(header);
    EXPECT_THROW(cell.exchange.deliver(header, {}), CommError);
  };
  refused([](auto& header) { header.destination = {3}; });
  refused([](auto& header) { header.destination = {9}; });
  refused([](auto& header) { header.source = {0}; });
  refused([](auto& header) { header.direction = 1; });
  refused([](auto& header) { header.direction = 4; });
  refused([](auto& header) { header.generation = 10; });
}

Routes asynchronous(Routes routes) {
  routes.is_asynchronous = true;
  return routes;
}

TEST(Exchange, asynchronously_shows_the_newest_as_often_as_asked) {
  Fixture worker(asynchronous(routes_on({1, 2}, "cross5", {Rank{1}, Rank{2}}, Rank{1})));
  const auto deliver = [&](Generation generation, std::size_t n_bytes) {
    worker.deliver(1, generation, some_bytes(n_bytes));
  };
  EXPECT_EQ(worker.exchange.newest({0}, {1}), nullptr);
  deliver(0, 10);
  const Publication first = worker.exchange.newest({0}, {1});
  EXPECT_EQ(first->size(), 10U);
  deliver(4, 14);
  deliver(3, 13);
  for (int look = 0; look < 2; ++look) {
    EXPECT_EQ(worker.exchange.newest({0}, {1})->size(), 14U);
  }
  EXPECT_EQ(*first, some_bytes(10)) << "who holds an older one keeps it whole";
}

TEST(Exchange, asynchronously_keeps_what_each_reader_has_of_each_neighbour) {
  const std::vector<Rank> ranks{Rank{1}, Rank{2}, Rank{1}, Rank{2}};
  Fixture worker(asynchronous(routes_on({2, 2}, "moore9", ranks, Rank{1})));
  std::size_t n_bytes = 0;
  for (const std::uint32_t reader : {0U, 2U}) {
    const auto neighbours = grid::find_neighbourhood("moore9").neighbours({2, 2}, {reader});
    for (std::uint32_t side = 0; side < neighbours.size(); ++side) {
      if (neighbours[side].value % 2 == 0) continue;  // here
      worker.exchange.deliver({.source = neighbours[side],
                               .destination = {reader},
                               .incarnation = 1,
                               .generation = 0,
                               .direction = side},
                              some_bytes(++n_bytes));
    }
  }
  std::vector<std::size_t> found;
  for (const std::uint32_t reader : {0U, 2U}) {
    for (const std::uint32_t neighbour : {1U, 3U}) {
      found.push_back(worker.exchange.newest({reader}, {neighbour})->size());
    }
  }
  EXPECT_THAT(found, UnorderedElementsAre(1, 2, 3, 4));
}

TEST(Exchange, asynchronously_an_interrupt_ends_looking_too) {
  Fixture worker(asynchronous(routes_on({1, 2}, "cross5", {Rank{1}, Rank{2}}, Rank{1})));
  worker.exchange.interrupt();
  EXPECT_THROW(worker.exchange.newest({0}, {1}), coev::Interrupted);
}

TEST(Exchange, asynchronously_nothing_of_an_incarnation_that_is_over_is_seen) {
  const Routes first = asynchronous(routes_on({1, 2}, "cross5", {Rank{1}, Rank{2}}, Rank{1}));
  Fixture worker(first);
  worker.deliver(1, 7, some_bytes(17));
  Routes second = first;
  second.incarnation = 2;
  worker.exchange.begin(second);
  EXPECT_EQ(worker.exchange.newest({0}, {1}), nullptr);
  worker.deliver(2, 3, some_bytes(23));
  worker.deliver(1, 8, some_bytes(18));
  EXPECT_EQ(worker.exchange.newest({0}, {1})->size(), 23U);
}

// The reader looks while newer ones arrive: what it sees is always one of them, whole.
TEST(Exchange, asynchronously_is_never_seen_half_written) {
  constexpr Generation kLast = 9;
  constexpr std::size_t kBytes = 100'000;
  Fixture worker(asynchronous(routes_on({1, 2}, "cross5", {Rank{1}, Rank{2}}, Rank{1})));
  std::jthread neighbour([&] {
    for (Generation generation = 0; generation <= kLast; ++generation) {
      worker.deliver(1, generation, Bytes(kBytes, static_cast<std::byte>(generation)));
    }
  });
  std::byte seen{0};
  while (seen != static_cast<std::byte>(kLast)) {
    const Publication publication = worker.exchange.newest({0}, {1});
    if (!publication) continue;
    EXPECT_GE(publication->front(), seen);
    seen = publication->front();
    ASSERT_EQ(*publication, Bytes(kBytes, seen));
  }
}

TEST(Exchange, an_interrupt_ends_waits_now_and_later) {
  Fixture worker(half_of_two());
  std::jthread stopper([&] { worker.exchange.interrupt(); });
  EXPECT_THROW(worker.take({0}, {1}, 0), coev::Interrupted);
  EXPECT_THROW(worker.take({0}, {1}, 1), coev::Interrupted);
}

TEST(Exchange, publications_bear_the_incarnation_that_they_are_made_in) {
  Fixture worker(half_of_two(3));
  worker.publish({0}, 0, some_bytes(1));
  worker.exchange.begin(half_of_two(5));
  worker.publish({0}, 0, some_bytes(1));
  ASSERT_EQ(worker.sent.size(), 2U);
  EXPECT_EQ(worker.sent[0].header.incarnation, 3U);
  EXPECT_EQ(worker.sent[1].header.incarnation, 5U);
}

TEST(Exchange, publications_of_an_incarnation_that_is_over_are_dropped) {
  Fixture worker(half_of_two(2));
  worker.deliver(1, 0, some_bytes(10));
  worker.deliver(2, 0, some_bytes(20));
  worker.deliver(1, 0, some_bytes(11));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 20U);
  std::jthread stopper([&] { worker.exchange.interrupt(); });
  EXPECT_THROW(worker.take({0}, {1}, 0), coev::Interrupted) << "there is nothing to take";
}

TEST(Exchange, publications_of_an_incarnation_to_come_wait_for_it) {
  Fixture worker(half_of_two(1));
  worker.deliver(2, 0, some_bytes(20));
  worker.deliver(3, 0, some_bytes(30));
  worker.deliver(1, 0, some_bytes(10));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 10U);
  worker.exchange.begin(half_of_two(2));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 20U);
  worker.exchange.begin(half_of_two(3));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 30U);
}

TEST(Exchange, an_incarnation_that_never_began_here_leaves_nothing) {
  Fixture worker(half_of_two(1));
  worker.deliver(2, 0, some_bytes(20));
  worker.exchange.begin(half_of_two(3));
  worker.deliver(3, 0, some_bytes(30));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 30U);
}

TEST(Exchange, the_first_publications_may_come_before_the_worker_begins) {
  Exchange exchange([](std::span<const comm::Reader>, const Publication&) {});
  exchange.deliver({.source = {1}, .destination = {0}, .incarnation = 1}, some_bytes(10));
  exchange.begin(half_of_two());
  EXPECT_EQ(exchange.take({0}, {1}, 0)->size(), 10U);
}

TEST(Exchange, what_came_early_and_makes_no_sense_is_refused_at_the_begin) {
  Fixture worker(half_of_two(1));
  EXPECT_NO_THROW(worker.deliver(2, 10, {})) << "nobody knows yet who will be where";
  EXPECT_THROW(worker.exchange.begin(half_of_two(2)), CommError);
}

TEST(Exchange, a_begin_forgets_what_was_published_and_what_arrived) {
  Fixture worker(half_of_two(1));
  worker.publish({0}, 0, some_bytes(5));
  worker.deliver(1, 0, some_bytes(10));
  worker.exchange.begin(half_of_two(2));
  std::jthread stopper([&] { worker.exchange.interrupt(3); });
  EXPECT_THROW(worker.take({0}, {1}, 0), coev::Interrupted) << "there is nothing to take";
  worker.exchange.begin(half_of_two(3));
  worker.deliver(3, 0, some_bytes(20));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 20U);
  worker.publish({0}, 0, some_bytes(5));
  EXPECT_EQ(worker.exchange.traffic({0}).messages, 1U);
}

TEST(Exchange, a_begin_may_bring_cells_from_elsewhere) {
  Fixture worker(half_of_two(1));
  Routes alone = routes_on({1, 2}, "cross5", {Rank{1}, Rank{1}}, Rank{1});
  alone.incarnation = 2;
  worker.exchange.begin(alone);
  EXPECT_TRUE(worker.exchange.is_local({1}));
  worker.publish({1}, 4, some_bytes(7));
  EXPECT_TRUE(worker.sent.empty());
}

TEST(Exchange, an_interrupt_for_an_incarnation_ends_the_waits_of_older_ones_alone) {
  Fixture worker(half_of_two(1));
  std::jthread master([&] { worker.exchange.interrupt(2); });
  EXPECT_THROW(worker.take({0}, {1}, 0), coev::Interrupted);
  EXPECT_THROW(worker.take({0}, {1}, 1), coev::Interrupted);
  worker.exchange.begin(half_of_two(2));
  worker.deliver(2, 0, some_bytes(20));
  EXPECT_EQ(worker.take({0}, {1}, 0)->size(), 20U);
  worker.exchange.interrupt();
  EXPECT_THROW(worker.take({0}, {1}, 1), coev::Interrupted);
  worker.exchange.interrupt(1);
  EXPECT_THROW(worker.take({0}, {1}, 1), coev::Interrupted) << "the last word stays";
}

}  // namespace
}  // namespace lipizz::worker::exchange_test
