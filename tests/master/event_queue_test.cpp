#include "master/event_queue.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace lipizz::master::event_queue_test {
namespace {

comm::Message from(int rank) {
  return {.source = Rank{rank}, .kind = comm::MessageKind::kLog, .payload = {}};
}

TEST(EventQueue, hands_events_over_in_order_and_as_they_are) {
  EventQueue queue;
  queue.post(from(3));
  queue.post(comm::HeartbeatMonitor::Event{});
  queue.post(std::make_exception_ptr(std::runtime_error("the network is gone")));
  queue.post(Beat{});
  EXPECT_EQ(std::get<comm::Message>(queue.take()).source, Rank{3});
  EXPECT_TRUE(std::holds_alternative<comm::HeartbeatMonitor::Event>(queue.take()));
  EXPECT_THROW(std::rethrow_exception(std::get<std::exception_ptr>(queue.take())),
               std::runtime_error);
  EXPECT_TRUE(std::holds_alternative<Beat>(queue.take()));
}

TEST(EventQueue, wakes_who_waits_and_keeps_the_order_of_every_thread) {
  constexpr int kEvents = 200;
  EventQueue queue;
  std::vector<std::jthread> threads;
  for (const int first : {0, 1000}) {
    threads.emplace_back([&queue, first] {
      for (int i = 0; i < kEvents; ++i) queue.post(from(first + i));
    });
  }
  std::vector<int> next{0, 1000};
  for (int i = 0; i < 2 * kEvents; ++i) {
    const int rank = std::get<comm::Message>(queue.take()).source.value;
    EXPECT_EQ(rank, next[rank < 1000 ? 0 : 1]++);
  }
}

}  // namespace
}  // namespace lipizz::master::event_queue_test
