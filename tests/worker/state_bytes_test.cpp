#include "worker/state_bytes.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace lipizz::worker::state_bytes_test {
namespace {

TEST(StateBytes, that_are_there_are_given) {
  EXPECT_EQ(StateBytes(Bytes(3)).get(), Bytes(3));
}

TEST(StateBytes, are_encoded_once_and_not_before_they_are_asked_for) {
  std::atomic<int> n_calls = 0;
  auto held = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = held;
  const StateBytes state([&n_calls, held = std::move(held)] {
    ++n_calls;
    return Bytes(static_cast<std::size_t>(*held));
  });
  EXPECT_EQ(n_calls, 0);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { EXPECT_EQ(state.get(), Bytes(7)); });
    }
  }
  EXPECT_EQ(n_calls, 1);
  EXPECT_TRUE(watched.expired()) << "what they were encoded from is let go";
}

TEST(StateBytes, that_could_not_be_encoded_are_tried_again) {
  int n_calls = 0;
  const StateBytes state([&]() -> Bytes {
    if (++n_calls == 1) throw std::bad_alloc();
    return Bytes(2);
  });
  EXPECT_THROW(static_cast<void>(state.get()), std::bad_alloc);
  EXPECT_EQ(state.get(), Bytes(2));
}

}  // namespace
}  // namespace lipizz::worker::state_bytes_test
