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
  static bool is_mpi() { return GetParam().name == "mpi"; }
};

constexpr double kFlush_s = 60;  // only a failing test takes so long

inline Bytes text_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline std::shared_ptr<const Bytes> shared_filled(std::size_t n_bytes, int value) {
  return std::make_shared<const Bytes>(filled(n_bytes, value));
}

inline void publish(CommManager& manager, Rank reader, const PublicationHeader& header,
                    const std::shared_ptr<const Bytes>& payload) {
  const Reader only{reader, header};
  manager.publish(std::span(&only, 1), payload);
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
      EXPECT_THROW(publish(manager, Rank{1}, kFirst, shared_filled(1, 1)), InternalError);
    } else if (n > 2) {
      EXPECT_THROW(publish(manager, Rank{n - 1}, kFirst, shared_filled(1, 1)), InternalError);
      EXPECT_THROW(publish(manager, kMaster, kFirst, shared_filled(1, 1)), InternalError);
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
        publish(manager, Rank{rank}, kFirst, shared_filled(10, 16 * manager.rank().value + rank));
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
        std::vector<Reader> readers;
        for (std::uint32_t direction = 0; direction < 4; ++direction) {
          const std::uint32_t neighbour = around[direction];
          readers.push_back({Rank{static_cast<int>(neighbour) + 1},
                             {CellId{me}, CellId{neighbour}, 1, generation, direction}});
        }
        manager.publish(readers, payload);
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

// Large messages, whose sender has to see to them while it waits itself, and small ones.
TEST_P(CommManagerCases, ranks_of_a_cell_hand_on_what_they_wait_for) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    CommManager manager(std::move(world), clock);
    const int n_workers = manager.size() - 1;
    manager.form_groups({.active = {Rank{1}},
                         .torus = {},
                         .ranks_per_cell = static_cast<std::uint32_t>(n_workers)});
    Inbox inbox;
    manager.start(inbox.handlers());
    const Rank next{manager.rank().value % n_workers + 1};
    for (int round = 0; round < 40 && n_workers > 1 && !manager.is_master(); ++round) {
      const std::size_t n_bytes = round % 2 == 0 ? 200'000 : 10;
      manager.send(next, MessageKind::kCellPart, filled(n_bytes, round));
      manager.progress_until([&] { return inbox.has_message(); }, 1);
      EXPECT_EQ(inbox.next_message().payload, filled(n_bytes, round));
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
    const Rank other{manager.is_master() ? 1 : 0};
    manager.send(other, manager.is_master() ? MessageKind::kPing : MessageKind::kLog,
                 {});        // dropped
    manager.stop(kFlush_s);  // no effect
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
      publish(manager, Rank{last}, {.source = {}, .destination = {}, .incarnation = 2},
              shared_filled(100, 0));
      publish(manager, Rank{1}, kFirst, shared_filled(7, 0));  // never leaves the process
      publish(manager, Rank{last}, kFirst, shared_filled(200, 0));
    }
    std::multiset<Bytes> arrived;
    for (int i = (manager.rank() == Rank{1}) + 2 * (manager.rank() == Rank{last}); i > 0; --i) {
      arrived.insert(inbox.next_publication().second);
    }
    std::multiset<Bytes> expected_publications;
    if (manager.rank() == Rank{1}) expected_publications.insert(filled(7, 0));
    if (manager.rank() == Rank{last}) {
      expected_publications.insert({filled(100, 0), filled(200, 0)});
    }
    EXPECT_EQ(arrived, expected_publications);
    manager.stop(kFlush_s);
    Traffic expected;
    if (manager.rank() == Rank{1}) {
      expected.on(Scope::kWorld) = {3, 30};  // heartbeats are none
      expected.on(Scope::kGlobal) = {1, 50};
      if (last != 1) {
        expected.on(Scope::kGlobal) += {1, 124};
        expected.on(Scope::kLocal) = {1, 224};
      }
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
      publish(manager, next, {}, shared_filled(100, manager.rank().value));
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
    const Rank lost{manager.size() - 1};
    if (manager.is_master() || (manager.rank() == Rank{1} && lost != Rank{1})) {
      manager.start(inbox.handlers());
      if (manager.is_master()) manager.send(lost, MessageKind::kTask, filled(2'000'000, 1));
      if (!manager.is_master()) publish(manager, lost, {}, shared_filled(2'000'000, 2));
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
    const bool is_master = manager.is_master();
    EXPECT_THROW(
        manager.send(is_master ? Rank{1} : kMaster,
                     is_master ? MessageKind::kPing : MessageKind::kStatus, filled(70'000, 0)),
        CommError);
    EXPECT_THROW(manager.send(kMaster, MessageKind::kStop, {}), InternalError);
    EXPECT_THROW(manager.send(kMaster, MessageKind::kPublication, {}), InternalError);
    EXPECT_THROW(manager.send(Rank{n}, MessageKind::kPing, {}), InternalError);
    EXPECT_THROW(publish(manager, kMaster, {}, shared_filled(0, 0)), InternalError);  // no GLOBAL
    EXPECT_THROW(manager.send(kMaster, MessageKind::kResult, {}), InternalError);     // likewise
    manager.stop(kFlush_s);
  });
}

inline AuthenticationKey key_of_run(Communicator& world) {
  AuthenticationKey key{};
  world.broadcast(std::span<std::byte>(key), kMaster.value, "sharing the key of this run");
  return key;
}

TEST_P(CommManagerCases, a_message_that_no_rank_of_this_run_sent_is_dropped_and_counted) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    if (world.rank() == 1) {
      Authenticator authenticator(key_of_run(world));
      Authenticator stranger(Authenticator::draw_key());
      const auto inject = [&](int tag, Bytes message) {
        world.isend(kMaster.value, tag, std::move(message), "a stranger's").wait();
      };
      const auto genuine = [&](MessageKind kind, int value) {
        const Route route{Scope::kWorld, {1}, kMaster, static_cast<int>(kind)};
        return authenticator.protect(route, filled(10, value));
      };
      const auto log = static_cast<int>(MessageKind::kLog);
      inject(log, filled(10, 0));
      inject(log, filled(100, 0));
      inject(log, stranger.protect({Scope::kWorld, {1}, kMaster, log}, filled(10, 0)));
      inject(999, filled(10, 0));
      inject(9999, filled(10, 0));                                     // a publication's
      inject(static_cast<int>(MessageKind::kResult), filled(100, 0));  // GLOBAL's
      inject(static_cast<int>(MessageKind::kStop), genuine(MessageKind::kStop, 0));  // a master's
      // It is never received, so its sender would wait for ever where MPI asks before it sends.
      if (!is_mpi()) inject(static_cast<int>(MessageKind::kStatus), filled(70'000, 0));
      inject(log, genuine(MessageKind::kLog, 42));
    } else {
      CommManager manager(std::move(world), clock);
      Inbox inbox;
      manager.start(inbox.handlers());
      if (manager.is_master()) {
        EXPECT_EQ(inbox.next_message().payload, filled(10, 42));
        EXPECT_EQ(inbox.next_unauthenticated(), Rank{1});
        EXPECT_EQ(manager.traffic().unauthenticated, is_mpi() ? 7u : 8u);
      }
      manager.stop(kFlush_s);
    }
    end.barrier("the end of the test");
  });
}

// A forged payload comes between the head of a publication and its own.
TEST_P(CommManagerCases, a_forged_payload_does_not_take_the_place_of_the_true_one) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    Communicator end = world.duplicate("the end of the test");
    const int last = world.size() - 1;
    if (world.rank() == 1 && last > 1) {
      Authenticator authenticator(key_of_run(world));
      Communicator global = world.duplicate("forming GLOBAL");
      Communicator local = world.split(0, 0, "forming LOCAL");
      static_cast<void>(local.allgather(Rank{1}, "looking who is in LOCAL"));
      const PublicationHeader header{.source = {}, .destination = {}, .incarnation = 2};
      const Bytes payload = filled(1000, 1);
      const Bytes head = encode_publication_head(header, authenticator.code_of(payload));
      const Route route{Scope::kGlobal, {1}, {last}, tag_of(header)};
      const auto inject = [&](int tag, Bytes message) {
        global.isend(last, tag, std::move(message), "a stranger's").wait();
      };
      inject(tag_of(header), authenticator.protect(route, head));
      inject(payload_tag_of(header), filled(1000, 2));
      inject(payload_tag_of(header), payload);
    } else {
      CommManager manager(std::move(world), clock);
      manager.form_groups(all_workers(last + 1));
      Inbox inbox;
      manager.start(inbox.handlers());
      if (last > 1 && manager.rank() == Rank{last}) {
        EXPECT_EQ(inbox.next_publication().second, filled(1000, 1));
        EXPECT_EQ(manager.traffic().unauthenticated, 1u);
      }
      manager.stop(kFlush_s);
    }
    end.barrier("the end of the test");
  });
}

/// The CPU time of this process over a window of time, as a share of one core.
inline double used_share_of_a_core(const Clock& clock) {
  const double wall_before_s = clock.now_s();
  const std::clock_t cpu_before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double cpu_s = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
  return cpu_s / (clock.now_s() - wall_before_s);
}

TEST_P(CommManagerCases, an_idle_rank_sleeps) {
  on_every_rank([](Communicator world) {
    const SystemClock clock;
    const int n_ranks = world.size();
    CommManager manager(std::move(world), clock);
    manager.form_groups(all_workers(n_ranks));
    Inbox inbox;
    manager.start(inbox.handlers());
    const int n_ranks_here = is_mpi() ? 1 : n_ranks;
    double least_share = 1.0;  // other ranks may begin or end in one window, not in each of them
    for (int window = 0; window < 20 && least_share >= 0.03; ++window) {
      least_share = std::min(least_share, used_share_of_a_core(clock) / n_ranks_here);
    }
    EXPECT_LT(least_share, 0.03);
    manager.stop(kFlush_s);
  });
}

}  // namespace lipizz::comm
