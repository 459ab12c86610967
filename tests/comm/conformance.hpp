#pragma once

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comm/test_world.hpp"
#include "core/error.hpp"

/// The requirements on every transport. A test file instantiates the suite with its worlds.
namespace lipizz::comm {

class CommunicatorConformance : public ::testing::TestWithParam<TestWorld> {
 protected:
  static void on_every_rank(const RankBody& body) { GetParam().run(body); }
};

constexpr std::size_t kLarge = 3'000'000;  // above what any transport sends without a handshake

inline SharedBytes shared(Bytes bytes) {
  auto owner = std::make_shared<const Bytes>(std::move(bytes));
  return {owner, *owner};
}

TEST_P(CommunicatorConformance, ranks_count_from_zero) {
  on_every_rank([](Communicator world) {
    std::vector<int> expected(static_cast<std::size_t>(world.size()));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(world.allgather(world.rank(), "ranks"), expected);
  });
}

TEST_P(CommunicatorConformance, everybody_can_send_to_everybody_and_itself) {
  on_every_rank([](Communicator world) {
    std::vector<Request> sends;
    for (int to = 0; to < world.size(); ++to) {
      const std::vector<int> content{world.rank(), to};
      sends.push_back(world.isend(to, world.rank() % 3, std::span<const int>(content), "greeting"));
    }
    for (int from = 0; from < world.size(); ++from) {
      const Bytes bytes = world.receive(from, from % 3, "greeting");
      ByteReader reader(bytes, "greeting");
      EXPECT_EQ(reader.value<int>(), from);
      EXPECT_EQ(reader.value<int>(), world.rank());
      EXPECT_EQ(reader.remaining(), 0u);
    }
    for (Request& send : sends) send.wait();
  });
}

TEST_P(CommunicatorConformance, messages_between_two_ranks_keep_their_order) {
  on_every_rank([](Communicator world) {
    const int right = (world.rank() + 1) % world.size();
    const int left = (world.rank() + world.size() - 1) % world.size();
    std::vector<Request> sends;
    for (int i = 0; i < 20; ++i) {
      sends.push_back(world.isend(right, i % 2, filled(i % 3 == 0 ? 100'000 : 8, i), "order"));
    }
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(world.receive(left, kAny, "order").front(), static_cast<std::byte>(i));
    }
    for (Request& send : sends) send.wait();
  });
}

TEST_P(CommunicatorConformance, a_tag_picks_its_message) {
  on_every_rank([](Communicator world) {
    const int me = world.rank();
    std::vector<Request> sends;
    for (const int tag : {0, 7, kMaxTag}) {
      sends.push_back(world.isend(me, tag, filled(4, tag % 251), "tags"));
    }
    for (const int tag : {kMaxTag, 0, 7}) {
      EXPECT_EQ(world.receive(kAny, tag, "tags"), filled(4, tag % 251));
    }
    for (Request& send : sends) send.wait();
  });
}

TEST_P(CommunicatorConformance, a_probe_tells_the_message_and_takes_it) {
  on_every_rank([](Communicator world) {
    EXPECT_FALSE(world.improbe(kAny, kAny, "nothing"));
    Request send = world.isend(world.rank(), 5, filled(123, 1), "probe");
    std::optional<Incoming> incoming;
    while (!incoming) incoming = world.improbe(kAny, kAny, "probe");
    EXPECT_EQ(incoming->source, world.rank());
    EXPECT_EQ(incoming->tag, 5);
    EXPECT_EQ(incoming->n_bytes, 123u);
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(world.improbe(kAny, kAny, "once"));
    EXPECT_EQ(incoming->receive("probe").take().front(), filled(123, 1));
    send.wait();
  });
}

TEST_P(CommunicatorConformance, empty_and_large_messages_travel) {
  on_every_rank([](Communicator world) {
    const int right = (world.rank() + 1) % world.size();
    const int left = (world.rank() + world.size() - 1) % world.size();
    Request empty = world.isend(right, 1, {}, "empty");
    Request large = world.isend(right, 2, filled(kLarge, world.rank()), "large");
    EXPECT_EQ(world.receive(left, 2, "large"), filled(kLarge, left));
    EXPECT_EQ(world.receive(left, 1, "empty"), Bytes{});
    empty.wait();
    large.wait();
    EXPECT_TRUE(large.test());
  });
}

TEST_P(CommunicatorConformance, an_abandoned_send_still_arrives_whole) {
  on_every_rank([](Communicator world) {
    const int right = (world.rank() + 1) % world.size();
    const int left = (world.rank() + world.size() - 1) % world.size();
    static_cast<void>(world.isend(right, 1, filled(kLarge, world.rank()), "abandoned"));
    static_cast<void>(
        world.isend_shared(right, 2, shared(filled(kLarge, world.rank())), "abandoned"));
    // Would take the place of buffers that were freed.
    const std::vector<Bytes> later(2, filled(kLarge, 255));
    EXPECT_EQ(world.receive(left, 1, "abandoned"), filled(kLarge, left));
    EXPECT_EQ(world.receive(left, 2, "abandoned"), filled(kLarge, left));
    world.barrier("until all have received");
    EXPECT_EQ(later.back().back(), std::byte{255});
  });
}

TEST_P(CommunicatorConformance, a_shared_payload_goes_to_many_and_lives_until_all_have_it) {
  on_every_rank([](Communicator world) {
    constexpr int kReaders = 4;
    const int n = world.size();
    for (const std::size_t n_bytes : {std::size_t{0}, std::size_t{10}, kLarge}) {
      SharedBytes payload = shared(filled(n_bytes, world.rank()));
      const std::weak_ptr<const void> owner = payload.owner;
      std::vector<Request> sends;
      for (int reader = 1; reader <= kReaders; ++reader) {
        const int to = (world.rank() + reader) % n;
        sends.push_back(world.isend_shared(to, reader, payload, "publishing"));
      }
      payload = {};
      const Bytes later = filled(n_bytes, 255);  // would take the place of a payload that was freed
      for (int reader = 1; reader <= kReaders; ++reader) {
        const int from = (world.rank() + kReaders * n - reader) % n;
        EXPECT_EQ(world.receive(from, reader, "reading"), filled(n_bytes, from));
      }
      for (Request& send : sends) send.wait();
      sends.clear();
      EXPECT_TRUE(owner.expired());
      EXPECT_EQ(later, filled(n_bytes, 255));
    }
  });
}

TEST_P(CommunicatorConformance, nobody_leaves_a_barrier_before_all_have_come) {
  on_every_rank([](Communicator world) {
    if (world.rank() == 0) {
      for (int from = 1; from < world.size(); ++from) {
        EXPECT_EQ(world.receive(from, 1, "still waiting"), filled(1, 1));
      }
      world.barrier("barrier");
      return;
    }
    Request barrier = world.ibarrier("barrier");
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(barrier.test());
    Request report = world.isend(0, 1, filled(1, 1), "still waiting");
    barrier.wait();
    report.wait();
  });
}

TEST_P(CommunicatorConformance, a_broadcast_brings_the_roots_bytes) {
  on_every_rank([](Communicator world) {
    for (const int root : {0, world.size() - 1}) {
      const Bytes mine = world.rank() == root ? filled(1000, 3) : filled(7, 9);
      EXPECT_EQ(world.broadcast(mine, root, "any length"), filled(1000, 3));
      std::vector<double> values(3, world.rank());
      world.broadcast(std::span(values), root, "values");
      EXPECT_EQ(values, std::vector<double>(3, root));
    }
    EXPECT_EQ(world.broadcast({}, 0, "nothing"), Bytes{});
  });
}

TEST_P(CommunicatorConformance, a_gather_keeps_each_ranks_length) {
  on_every_rank([](Communicator world) {
    std::vector<Bytes> expected;
    for (int r = 0; r < world.size(); ++r) {
      expected.push_back(filled(static_cast<std::size_t>(3 * r), r));
    }
    const Bytes& mine = expected[static_cast<std::size_t>(world.rank())];
    const int root = world.size() / 2;
    const std::vector<Bytes> at_root = world.gather(mine, root, "gather");
    EXPECT_EQ(at_root, world.rank() == root ? expected : std::vector<Bytes>{});
    EXPECT_EQ(world.iallgather(mine, "allgather").take(), expected);
  });
}

TEST_P(CommunicatorConformance, messages_on_a_duplicate_stay_there) {
  on_every_rank([](Communicator world) {
    Communicator twin = world.duplicate("twin");
    EXPECT_EQ(twin.rank(), world.rank());
    EXPECT_EQ(twin.size(), world.size());
    Request on_twin = twin.isend(world.rank(), 1, filled(1, 2), "twin");
    Request on_world = world.isend(world.rank(), 1, filled(1, 1), "world");
    EXPECT_EQ(world.receive(kAny, kAny, "world"), filled(1, 1));
    EXPECT_EQ(twin.receive(kAny, kAny, "twin"), filled(1, 2));
    on_twin.wait();
    on_world.wait();
  });
}

TEST_P(CommunicatorConformance, a_split_groups_by_color_and_orders_by_key) {
  on_every_rank([](Communicator world) {
    const int n = world.size();
    Communicator half = world.split(world.rank() % 2, -world.rank(), "halves");
    std::vector<int> expected;
    for (int r = n - 1; r >= 0; --r) {
      if (r % 2 == world.rank() % 2) expected.push_back(r);
    }
    EXPECT_EQ(half.allgather(world.rank(), "members"), expected);
    EXPECT_EQ(expected[static_cast<std::size_t>(half.rank())], world.rank());

    Communicator first = world.split(world.rank() == 0 ? 4 : -1, 0, "one alone");
    EXPECT_EQ(static_cast<bool>(first), world.rank() == 0);
    if (first) {
      EXPECT_EQ(first.size(), 1);
    }
  });
}

// GRID-1. Counted by hand on squared paper: up, down, left, right.
using TorusNeighbours = std::array<int, 4>;

inline const std::map<std::pair<int, int>, std::vector<TorusNeighbours>>& neighbours_by_hand() {
  static const std::map<std::pair<int, int>, std::vector<TorusNeighbours>> kTable{
      {{1, 1}, {{0, 0, 0, 0}}},
      {{1, 2}, {{0, 0, 1, 1}, {1, 1, 0, 0}}},
      {{2, 2}, {{2, 2, 1, 1}, {3, 3, 0, 0}, {0, 0, 3, 3}, {1, 1, 2, 2}}},
      {{3, 3},
       {{6, 3, 2, 1},
        {7, 4, 0, 2},
        {8, 5, 1, 0},
        {0, 6, 5, 4},
        {1, 7, 3, 5},
        {2, 8, 4, 3},
        {3, 0, 8, 7},
        {4, 1, 6, 8},
        {5, 2, 7, 6}}},
      {{2, 5},
       {{5, 5, 4, 1},
        {6, 6, 0, 2},
        {7, 7, 1, 3},
        {8, 8, 2, 4},
        {9, 9, 3, 0},
        {0, 0, 9, 6},
        {1, 1, 5, 7},
        {2, 2, 6, 8},
        {3, 3, 7, 9},
        {4, 4, 8, 5}}}};
  return kTable;
}

TEST_P(CommunicatorConformance, a_torus_has_the_neighbours_of_squared_paper) {
  on_every_rank([](Communicator world) {
    for (const auto& [dimensions, expected] : neighbours_by_hand()) {
      const int n_cells = static_cast<int>(expected.size());
      if (n_cells > world.size()) continue;
      Communicator cells = world.split(world.rank() < n_cells ? 0 : -1, 0, "cells");
      if (!cells) continue;
      const Communicator torus = cells.cartesian(dimensions.first, dimensions.second, "torus");
      EXPECT_EQ(torus.rank(), world.rank());
      const auto [rows, columns] = dimensions;
      const int row = torus.rank() / columns;
      const int column = torus.rank() % columns;
      const TorusNeighbours found{
          torus.rank_at(row - 1, column, "up"), torus.rank_at(row + 1, column, "down"),
          torus.rank_at(row, column - 1, "left"), torus.rank_at(row, column + 1, "right")};
      EXPECT_EQ(found, expected[static_cast<std::size_t>(torus.rank())])
          << rows << "x" << columns << ", rank " << torus.rank();
      EXPECT_EQ(torus.rank_at(row - 3 * rows, column + 2 * columns, "far away"), torus.rank());
    }
  });
}

TEST_P(CommunicatorConformance, wrong_arguments_are_refused_in_the_callers_words) {
  on_every_rank([](Communicator world) {
    using ::testing::AllOf;
    using ::testing::HasSubstr;
    const int n = world.size();
    const std::string size = std::to_string(n);
    EXPECT_THAT(error_of([&] { world.isend(n, 0, {}, "saying hello"); }),
                AllOf(HasSubstr("saying hello"), HasSubstr("no rank " + size)));
    EXPECT_THAT(error_of([&] { world.isend(0, kMaxTag + 1, {}, "tagging"); }),
                AllOf(HasSubstr("tagging"), HasSubstr(std::to_string(kMaxTag + 1))));
    EXPECT_THAT(error_of([&] { static_cast<void>(world.broadcast({}, -1, "telling")); }),
                HasSubstr("telling"));
    EXPECT_THAT(error_of([&] { static_cast<void>(world.cartesian(n, 2, "laying out")); }),
                AllOf(HasSubstr("laying out"), HasSubstr(size + "x2")));
    EXPECT_THAT(error_of([&] { static_cast<void>(world.rank_at(0, 0, "looking round")); }),
                AllOf(HasSubstr("looking round"), HasSubstr("torus")));
  });
}

TEST_P(CommunicatorConformance, a_message_that_mpi_cannot_count_is_refused) {
  on_every_rank([](Communicator world) {
    // Addresses without memory behind them: the refusal must come before anything is read.
    const std::size_t n_bytes = kMaxMessageBytes + 1;
    void* nothing =
        mmap(nullptr, n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(nothing, MAP_FAILED);
    const std::span<const std::byte> huge(static_cast<const std::byte*>(nothing), n_bytes);
    EXPECT_THAT(error_of([&] { world.isend(0, 0, huge, "too much"); }),
                ::testing::HasSubstr("2147483648 bytes"));
    EXPECT_THAT(error_of([&] {
                  world.isend_shared(0, 0, {nullptr, huge}, "too much");
                }),
                ::testing::HasSubstr("2147483648 bytes"));
    munmap(nothing, n_bytes);
  });
}

TEST_P(CommunicatorConformance, a_wake_up_before_the_sleep_is_not_lost) {
  on_every_rank([](Communicator world) {
    world.wake();
    world.wait_for_activity(3600);
  });
}

}  // namespace lipizz::comm
