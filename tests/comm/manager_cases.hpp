#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "comm/inbox.hpp"
#include "comm/test_world.hpp"

/// The requirements on CommManager on every transport, with 2, 5 or 17 ranks.
namespace lipizz::comm {

class CommManagerCases : public ::testing::TestWithParam<TestWorld> {
 protected:
  static void on_every_rank(const RankBody& body) { GetParam().run(body); }
};

constexpr double kFlush_s = 60;  // only a failing test takes so long

inline Bytes text_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline std::shared_ptr<const Bytes> shared_filled(std::size_t n_bytes, int value) {
  return std::make_shared<const Bytes>(filled(n_bytes, value));
}

inline Groups all_workers(int n_ranks) {
  Groups groups;
  for (int rank = 1; rank < n_ranks; ++rank) groups.active.push_back(Rank{rank});
  return groups;
}

TEST_P(CommManagerCases, setup_gathers_at_the_master_and_broadcasts_from_it) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    CommManager manager(std::move(world), clock);
    const Bytes mine = filled(static_cast<std::size_t>(manager.rank().value), 1);
    const std::vector<Bytes> all = manager.gather_at_master(mine, "inventory");
    EXPECT_EQ(all.size(), manager.is_master() ? static_cast<std::size_t>(manager.size()) : 0u);
    for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(all[rank], filled(rank, 1));

    const Bytes config = text_bytes("the configuration");
    EXPECT_EQ(manager.broadcast_from_master(manager.is_master() ? config : Bytes{}, "shipping"),
              config);
  });
}

// Those of the first incarnation, whose header says nothing else.
inline const PublicationHeader kFirst{
    .source = {}, .destination = {}, .incarnation = kFirstIncarnation};

TEST_P(CommManagerCases, spares_and_the_master_are_outside_local) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n = world.size();
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    Groups groups = all_workers(n);
    if (n > 2) groups.active.pop_back();  // the last rank is a spare
    manager.form_groups(groups);
    Inbox inbox;
    manager.start(inbox.handlers());
    const int rank = manager.rank().value;
    const bool is_spare = n > 2 && rank == n - 1;
    if (rank == 0 || is_spare) {
      EXPECT_THROW(manager.publish(Rank{1}, kFirst, shared_filled(1, 1)), InternalError);
    } else if (n > 2) {
      EXPECT_THROW(manager.publish(Rank{n - 1}, kFirst, shared_filled(1, 1)), InternalError);
      EXPECT_THROW(manager.publish(kMaster, kFirst, shared_filled(1, 1)), InternalError);
    }
    manager.stop(kFlush_s);
    EXPECT_EQ(manager.traffic(), Traffic{});
    end.barrier("the end of the test");
  });
}

// LOCAL's ranks are not WORLD's: they follow the order in which the active are named.
TEST_P(CommManagerCases, publications_find_their_rank_on_local_in_any_order) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n = world.size();
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    Groups groups = all_workers(n);
    std::ranges::rotate(groups.active, groups.active.begin() + (n - 1) / 2);
    std::ranges::reverse(groups.active);
    if (n > 2) groups.torus = Groups::Torus{2, static_cast<std::uint32_t>(n - 1) / 2};
    manager.form_groups(groups);
    Inbox inbox;
    manager.start(inbox.handlers());
    if (!manager.is_master()) {
      for (int rank = 1; rank < n; ++rank) {
        manager.publish(Rank{rank}, kFirst, shared_filled(10, 16 * manager.rank().value + rank));
      }
      std::multiset<Bytes> expected;
      std::multiset<Bytes> arrived;
      for (int rank = 1; rank < n; ++rank) {
        expected.insert(filled(10, 16 * rank + manager.rank().value));
        arrived.insert(inbox.next_publication().second);
      }
      EXPECT_EQ(arrived, expected);
    }
    manager.stop(kFlush_s);
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, groups_that_cannot_be_are_refused_on_every_rank) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n = world.size();
    CommManager manager(std::move(world), clock);
    EXPECT_THROW(manager.form_groups({}), CommError);
    EXPECT_THROW(manager.form_groups({{Rank{0}}, {}}), CommError);
    EXPECT_THROW(manager.form_groups({{Rank{1}, Rank{1}}, {}}), CommError);
    EXPECT_THROW(manager.form_groups({{Rank{n}}, {}}), CommError);
    EXPECT_THROW(manager.form_groups({{Rank{1}}, Groups::Torus{1, 2}}), CommError);
  });
}

TEST_P(CommManagerCases, on_a_2x2_torus_each_direction_brings_its_publication) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    if (world.size() < 5) return;
    CommManager manager(std::move(world), clock);
    Groups groups = all_workers(5);
    groups.torus = Groups::Torus{2, 2};
    manager.form_groups(groups);
    Inbox inbox;
    const int rank = manager.rank().value;
    if (rank >= 1 && rank <= 4) {
      manager.start(inbox.handlers());
      const auto me = static_cast<std::uint32_t>(rank - 1);
      // Up and down are the same rank, and so are left and right.
      const std::array<std::uint32_t, 4> around{me ^ 2U, me ^ 2U, me ^ 1U, me ^ 1U};
      const auto content = [](const PublicationHeader& h) {
        return filled(300'000 + h.source.value,
                      static_cast<int>(16 * h.source.value + h.generation));
      };
      for (Generation generation = 0; generation < 3; ++generation) {
        const auto payload =
            std::make_shared<const Bytes>(content({CellId{me}, {}, 1, generation, 0}));
        for (std::uint32_t direction = 0; direction < 4; ++direction) {
          const std::uint32_t neighbour = around[direction];
          const PublicationHeader header{CellId{me}, CellId{neighbour}, 1, generation, direction};
          manager.publish(Rank{static_cast<int>(neighbour) + 1}, header, payload);
        }
      }
      std::map<std::pair<Generation, std::uint32_t>, int> n_arrived;
      for (int i = 0; i < 12; ++i) {
        const auto [header, payload] = inbox.next_publication();
        EXPECT_EQ(header.destination.value, me);
        EXPECT_EQ(header.source.value, around[header.direction]);
        EXPECT_EQ(payload, content(header));
        ++n_arrived[{header.generation, header.direction}];
      }
      EXPECT_EQ(n_arrived.size(), 12u);
      manager.stop(kFlush_s);
      EXPECT_EQ(manager.traffic().on(Scope::kLocal),
                (Traffic::Count{12, 12u * (300'000 + me + 24)}));
      EXPECT_EQ(manager.traffic().on(Scope::kGlobal), Traffic::Count{});
    }
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, messages_between_two_ranks_keep_their_order) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    Inbox inbox;
    manager.start(inbox.handlers());
    constexpr int kMessages = 60;
    if (manager.is_master()) {
      std::map<int, int> n_from;
      for (int i = 0; i < kMessages * (manager.size() - 1); ++i) {
        const Message message = inbox.next_message();
        EXPECT_EQ(message.payload.front(), static_cast<std::byte>(n_from[message.source.value]++));
      }
    } else {
      for (int i = 0; i < kMessages; ++i) {
        const std::size_t n_bytes = i % 5 == 0 ? 200'000 : 10;  // a large one, then small ones
        manager.send(kMaster, i % 2 == 0 ? MessageKind::kLog : MessageKind::kTaskDone,
                     filled(n_bytes, i));
      }
    }
    manager.stop(kFlush_s);
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, stop_waits_until_everything_has_left) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    Inbox inbox;
    manager.start(inbox.handlers());
    if (manager.is_master()) {
      for (int rank = 1; rank < manager.size(); ++rank) {
        manager.send(Rank{rank}, MessageKind::kTask, filled(500'000, rank));
        manager.send(Rank{rank}, MessageKind::kStop, {});
      }
    } else {
      EXPECT_EQ(inbox.next_message().payload, filled(500'000, manager.rank().value));
      EXPECT_EQ(inbox.next_message().kind, MessageKind::kStop);
    }
    manager.stop(kFlush_s);
    manager.send(kMaster, MessageKind::kLog, {});  // dropped
    manager.stop(kFlush_s);                        // no effect
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, traffic_is_counted_for_each_communicator) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    manager.form_groups(all_workers(manager.size()));
    Inbox inbox;
    manager.start(inbox.handlers());
    const int last = manager.size() - 1;
    if (manager.rank() == Rank{1}) {
      for (int i = 0; i < 3; ++i) manager.send(kMaster, MessageKind::kLog, filled(10, i));
      for (int i = 0; i < 2; ++i) manager.send(kMaster, MessageKind::kStatus, filled(5, i));
      manager.send(kMaster, MessageKind::kResult, filled(50, 0));
      manager.publish(kMaster, {.source = {}, .destination = {}, .incarnation = 2},
                      shared_filled(100, 0));
      manager.publish(Rank{1}, kFirst, shared_filled(7, 0));  // never leaves the process
      EXPECT_EQ(inbox.next_publication().second, filled(7, 0));
      manager.publish(Rank{last}, kFirst, shared_filled(200, 0));
    }
    if (manager.is_master()) {
      EXPECT_EQ(inbox.next_publication().second, filled(100, 0));
    }
    if (manager.rank() == Rank{last}) {
      EXPECT_EQ(inbox.next_publication().second, filled(200, 0));
    }
    manager.stop(kFlush_s);
    Traffic expected;
    if (manager.rank() == Rank{1}) {
      expected.on(Scope::kWorld) = {3, 30};  // heartbeats are none
      expected.on(Scope::kGlobal) = {2, 50 + 124};
      if (last != 1) expected.on(Scope::kLocal) = {1, 224};
    }
    EXPECT_EQ(manager.traffic(), expected);
    end.barrier("the end of the test");
  });
}

// Any worker may come to host cells.
TEST_P(CommManagerCases, a_spare_publishes_and_is_published_to) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n = world.size();
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    manager.form_groups({{Rank{1}}, {}});
    Inbox inbox;
    manager.start(inbox.handlers());
    if (!manager.is_master()) {
      const Rank next{manager.rank().value % (n - 1) + 1};  // all workers in a ring
      manager.publish(next, {}, shared_filled(100, manager.rank().value));
      const int previous = manager.rank().value == 1 ? n - 1 : manager.rank().value - 1;
      EXPECT_EQ(inbox.next_publication().second, filled(100, previous));
    }
    manager.stop(kFlush_s);
    end.barrier("the end of the test");
  });
}

// The last rank does not listen: a transport that moves large messages only when they are received
// would never be done with them.
TEST_P(CommManagerCases, what_is_under_way_to_a_forgotten_rank_does_not_hold_up_the_end) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    manager.form_groups({{Rank{1}}, {}});
    Inbox inbox;
    if (manager.is_master()) {
      const Rank lost{manager.size() - 1};
      manager.start(inbox.handlers());
      manager.send(lost, MessageKind::kTask, filled(2'000'000, 1));
      manager.publish(lost, {}, shared_filled(2'000'000, 2));
      manager.forget(lost);
      const double before_s = clock.now_s();
      manager.stop(kFlush_s);
      EXPECT_LT(clock.now_s() - before_s, kFlush_s);
    }
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, what_does_not_fit_the_protocol_is_refused_at_the_sender) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n = world.size();
    CommManager manager(std::move(world), clock);
    EXPECT_THROW(manager.send(Rank{0}, MessageKind::kPing, {}), InternalError);  // not started
    Inbox inbox;
    manager.start(inbox.handlers());
    EXPECT_THROW(manager.send(kMaster, MessageKind::kPing, filled(70'000, 0)), CommError);
    EXPECT_THROW(manager.send(kMaster, MessageKind::kPublication, {}), InternalError);
    EXPECT_THROW(manager.send(Rank{n}, MessageKind::kPing, {}), InternalError);
    EXPECT_THROW(manager.publish(kMaster, {}, shared_filled(0, 0)), InternalError);  // no GLOBAL
    EXPECT_THROW(manager.send(kMaster, MessageKind::kResult, {}), InternalError);    // likewise
    manager.stop(kFlush_s);
  });
}

TEST_P(CommManagerCases, a_message_of_no_known_kind_is_a_failure_and_no_crash) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    if (world.rank() == 1) {  // speaks another protocol
      world.isend(0, 999, filled(10, 0), "nonsense").wait();
    } else if (world.rank() == 0) {
      CommManager manager(std::move(world), clock);
      Inbox inbox;
      manager.start(inbox.handlers());
      EXPECT_THAT(inbox.next_failure(),
                  ::testing::AllOf(::testing::HasSubstr("rank 1"), ::testing::HasSubstr("999")));
      manager.send(Rank{1}, MessageKind::kPing, {});  // dropped
      manager.stop(kFlush_s);
    }
    end.barrier("the end of the test");
  });
}

TEST_P(CommManagerCases, an_idle_rank_sleeps) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n_ranks = world.size();
    CommManager manager(std::move(world), clock);
    manager.form_groups(all_workers(n_ranks));
    Inbox inbox;
    manager.start(inbox.handlers());
    const double wall_before_s = clock.now_s();
    const std::clock_t cpu_before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(700));  // the time that is measured
    const double cpu_s = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
    const double share = cpu_s / (clock.now_s() - wall_before_s);
    std::printf("idle: %.4f of a core\n", share);
    const int n_ranks_here = GetParam().name == "mpi" ? 1 : n_ranks;
    EXPECT_LT(share / n_ranks_here, 0.03);
    manager.stop(kFlush_s);
  });
}

}  // namespace lipizz::comm
