#include "worker/cell_saver.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace lipizz::worker::cell_saver_test {
namespace {

using ::testing::ElementsAre;

HeldState state(std::uint32_t cell, Generation generation) {
  return {{cell}, generation, std::make_shared<const CellSnapshot>(Bytes(1, std::byte{7}))};
}

std::string name_of(CellId cell, Generation generation) {
  return std::to_string(cell.value) + "@" + std::to_string(generation);
}

// Each look at it takes a second.
struct TickingClock final : Clock {
  double now_s() const override { return ticks += 1; }
  mutable double ticks = 0;
};
const TickingClock clock;

// Notes what the saver's thread did, in order. To be read when the saver is gone.
struct Journal {
  void write(const HeldState& state) {
    EXPECT_EQ(state.snapshot->bytes(), Bytes(1, std::byte{7}));
    lines.push_back(name_of(state.cell, state.generation));
  }
  void tell(const comm::Saved& saved) {
    lines.push_back(name_of(saved.cell, saved.generation) +
                    (saved.error.empty() ? " told" : " failed: " + saved.error));
  }
  CellSaver::Write writes() {
    return [this](const HeldState& state) { write(state); };
  }
  CellSaver::Write writes_after(std::latch& latch) {
    return [this, &latch](const HeldState& state) {
      latch.wait();
      write(state);
    };
  }
  CellSaver::Tell tells() {
    return [this](const comm::Saved& saved) { tell(saved); };
  }
  std::vector<std::string> lines;
};

TEST(CellSaver, writes_what_it_is_given_in_order_and_tells_each) {
  Journal journal;
  {
    CellSaver saver(journal.writes(), journal.tells(), clock);
    saver.save({state(0, 5), state(1, 5)}, 1);
    saver.save({state(1, 6), state(0, 6)}, 1);
  }
  EXPECT_THAT(journal.lines, ElementsAre("0@5", "0@5 told", "1@5", "1@5 told", "1@6", "1@6 told",
                                         "0@6", "0@6 told"));
}

TEST(CellSaver, tells_what_cannot_be_written_and_goes_on) {
  Journal journal;
  {
    CellSaver saver(
        [&](const HeldState& state) {
          if (state.cell == CellId{0}) throw CheckpointError("the disk is full");
          if (state.cell == CellId{1}) throw std::bad_alloc();
          journal.write(state);
        },
        journal.tells(), clock);
    saver.save({state(0, 5), state(1, 5), state(2, 5)}, 1);
    saver.save({state(3, 6)}, 1);
  }
  EXPECT_THAT(journal.lines,
              ElementsAre("0@5 failed: the disk is full", "1@5 failed: std::bad_alloc", "2@5",
                          "2@5 told", "3@6", "3@6 told"));
}

TEST(CellSaver, returns_while_the_disk_is_busy) {
  Journal journal;
  std::latch disk_is_free(1);
  {
    CellSaver saver(journal.writes_after(disk_is_free), journal.tells(), clock);
    saver.save({state(0, 5)}, 1);
    saver.save({state(0, 6)}, 1);  // waits until the first one has begun, no longer
    disk_is_free.count_down();
  }
  EXPECT_THAT(journal.lines, ElementsAre("0@5", "0@5 told", "0@6", "0@6 told"))
      << "and what still waits at the end is written";
}

TEST(CellSaver, lets_no_more_than_one_call_wait) {
  std::latch disk_is_free(1);
  std::atomic<int> n_written = 0;
  CellSaver saver(
      [&](const HeldState&) {
        disk_is_free.wait();
        ++n_written;
      },
      [](const comm::Saved&) {}, clock);
  saver.save({state(0, 5)}, 1);
  saver.save({state(0, 6)}, 1);
  std::jthread disk([&] { disk_is_free.count_down(); });
  saver.save({state(0, 7)}, 1);
  EXPECT_GE(n_written, 1) << "the first one was still being written";
}

TEST(CellSaver, writes_each_state_once) {
  Journal journal;
  {
    CellSaver saver(journal.writes(), journal.tells(), clock);
    saver.save({state(0, 5)}, 1);
    saver.save({state(0, 5), state(1, 5)}, 1);
    saver.flush({state(0, 5), state(0, 6)}, 1, [] {});
  }
  EXPECT_THAT(journal.lines, ElementsAre("0@5", "0@5 told", "1@5", "1@5 told", "0@6", "0@6 told"));
}

TEST(CellSaver, calls_back_when_all_that_it_was_given_is_written) {
  Journal journal;
  std::latch disk_is_free(1);
  {
    CellSaver saver(journal.writes_after(disk_is_free), journal.tells(), clock);
    saver.save({state(0, 5)}, 1);
    saver.flush({state(1, 5)}, 1, [&] { journal.lines.emplace_back("flushed"); });
    disk_is_free.count_down();
  }
  EXPECT_THAT(journal.lines, ElementsAre("0@5", "0@5 told", "1@5", "1@5 told", "flushed"));
}

TEST(CellSaver, calls_back_where_there_is_nothing_to_write_and_where_nothing_can_be_written) {
  Journal journal;
  {
    CellSaver saver([](const HeldState&) { throw CheckpointError("the disk is full"); },
                    journal.tells(), clock);
    saver.flush({}, 1, [&] { journal.lines.emplace_back("flushed nothing"); });
  }
  {
    CellSaver saver([](const HeldState&) { throw CheckpointError("the disk is full"); },
                    journal.tells(), clock);
    saver.flush({state(1, 5)}, 1, [&] { journal.lines.emplace_back("flushed"); });
  }
  EXPECT_THAT(journal.lines,
              ElementsAre("flushed nothing", "1@5 failed: the disk is full", "flushed"));
}

// So is what a new incarnation goes on from: the master may not have heard of it.
TEST(CellSaver, what_is_made_again_is_written_again) {
  Journal journal;
  {
    CellSaver saver(journal.writes(), journal.tells(), clock);
    for (const Generation generation : {4U, 5U, 6U}) saver.save({state(0, generation)}, 1);
    std::latch is_written{1};
    saver.flush({}, 1, [&] { is_written.count_down(); });
    is_written.wait();
    saver.forget_from(5);
    for (const Generation generation : {4U, 5U, 6U}) saver.save({state(0, generation)}, 1);
    saver.forget_before(6);
  }
  EXPECT_THAT(journal.lines, ElementsAre("0@4", "0@4 told", "0@5", "0@5 told", "0@6", "0@6 told",
                                         "0@5", "0@5 told", "0@6", "0@6 told"));
}

TEST(CellSaver, tells_of_what_incarnation_a_state_is) {
  std::vector<std::uint32_t> incarnations;
  {
    CellSaver saver([](const HeldState&) {},
                    [&](const comm::Saved& saved) { incarnations.push_back(saved.incarnation); },
                    clock);
    saver.save({state(0, 5)}, 1);
    saver.flush({state(0, 6)}, 2, [] {});
  }
  EXPECT_THAT(incarnations, ElementsAre(1, 2));
}

TEST(CellSaver, tells_how_long_a_save_took_from_handing_it_over) {
  std::vector<double> seconds;
  {
    CellSaver saver([](const HeldState&) {},
                    [&](const comm::Saved& saved) { seconds.push_back(saved.seconds); }, clock);
    saver.save({state(0, 5), state(1, 5)}, 1);
  }
  EXPECT_THAT(seconds, ElementsAre(1, 2)) << "a look at the clock each";
}

TEST(CellSaver, nothing_to_save_is_nothing_to_do) {
  Journal journal;
  {
    CellSaver saver(journal.writes(), journal.tells(), clock);
    saver.save({}, 1);
    saver.save({}, 1);
  }
  EXPECT_THAT(journal.lines, ElementsAre());
}

}  // namespace
}  // namespace lipizz::worker::cell_saver_test
