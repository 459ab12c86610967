#include "worker/replay_board.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "coev/interrupted.hpp"

namespace lipizz::worker::replay_board_test {
namespace {

Bytes bytes_of(std::uint32_t number) {
  ByteWriter writer;
  writer.value(number);
  return writer.take();
}

// Each thread has a cell, and in every generation adds what the others have put.
TEST(ReplayBoard, gives_every_thread_what_the_others_put_before_they_met) {
  constexpr std::uint32_t kThreads = 3;
  constexpr Generation kGenerations = 50;
  ReplayBoard board(kThreads, kThreads);
  std::vector<std::uint32_t> sums(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t own = 0; own < kThreads; ++own) {
      threads.emplace_back([&, own] {
        for (Generation generation = 0; generation < kGenerations; ++generation) {
          board.put({own}, generation, bytes_of(100 * generation + own));
          board.meet();
          for (std::uint32_t cell = 0; cell < kThreads; ++cell) {
            ByteReader reader(*board.at({cell}, generation), "a publication");
            sums[own] += reader.value<std::uint32_t>();
          }
        }
      });
    }
  }
  const std::uint32_t expected = 100 * kThreads * kGenerations * (kGenerations - 1) / 2 +
                                 kGenerations * kThreads * (kThreads - 1) / 2;
  EXPECT_EQ(sums, std::vector<std::uint32_t>(kThreads, expected));
}

TEST(ReplayBoard, calls_off_the_meeting_that_one_who_left_will_not_come_to) {
  ReplayBoard board(1, 2);
  std::jthread leaving([&] { board.leave(); });
  EXPECT_THROW(board.meet(), coev::Interrupted);
  EXPECT_THROW(board.meet(), coev::Interrupted);
}

}  // namespace
}  // namespace lipizz::worker::replay_board_test
