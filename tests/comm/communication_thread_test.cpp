#include "comm/communication_thread.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "comm/test_world.hpp"
#include "support/batch_thread.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::comm::communication_thread_test {
namespace {

using ::testing::ElementsAre;

class CommunicationThreadTest : public ::testing::Test {
 protected:
  CommunicationThread::Channel channel(Communicator& communicator) {
    return {.communicator = &communicator,
            .what = "a test's channel",
            .protect =
                [this](int, int, Bytes payload) {
                  const std::lock_guard lock(mutex_);
                  senders_.push_back(std::this_thread::get_id());
                  return payload;
                },
            .admit = [](int, int tag, std::size_t) { return tag != kRefusedTag; },
            .deliver =
                [this](int, int tag, Bytes) {
                  const std::lock_guard lock(mutex_);
                  tags_.push_back(tag);
                  receivers_.push_back(std::this_thread::get_id());
                  if (tag == kFaultyTag) throw std::runtime_error("the handler is broken");
                }};
  }
  CommunicationThread::Channel channel_in_step(Communicator& communicator) {
    CommunicationThread::Channel in_step = channel(communicator);
    in_step.is_in_step = true;
    return in_step;
  }

  auto keep_failure() {
    return [this](std::exception_ptr failure) {
      const std::lock_guard lock(mutex_);
      failures_.push_back(std::move(failure));
    };
  }

  std::string failure_of(CommunicationThread& thread) {
    thread.stop(0);  // joins it, so that what follows needs no lock
    if (failures_.size() != 1) return std::to_string(failures_.size()) + " failures";
    try {
      std::rethrow_exception(failures_.front());
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::size_t n_delivered() {
    const std::lock_guard lock(mutex_);
    return tags_.size();
  }

  // Only a failing test waits here for ever.
  void wait_for_deliveries(std::size_t n) {
    while (n_delivered() < n) std::this_thread::yield();
  }
  void wait_for_failure() {
    const auto has_failed = [this] {
      const std::lock_guard lock(mutex_);
      return !failures_.empty();
    };
    while (!has_failed()) std::this_thread::yield();
  }

  static constexpr double kLong_s = 1e6;  // by a clock that hurries
  static constexpr int kRefusedTag = 66;
  static constexpr int kFaultyTag = 77;
  HurryingClock clock_;
  Communicator self_ = self_communicator();
  std::mutex mutex_;
  std::vector<int> tags_;  // of what was delivered
  std::vector<std::thread::id> senders_, receivers_;
  std::vector<std::exception_ptr> failures_;
};

TEST_F(CommunicationThreadTest, what_is_posted_before_the_start_is_sent_after_it) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  thread.send(0, 0, 5, {});
  thread.send(0, 0, 6, {});
  thread.start();
  wait_for_deliveries(2);
  thread.stop(1);
  EXPECT_TRUE(failures_.empty());
  EXPECT_THAT(tags_, ElementsAre(5, 6));
}

TEST_F(CommunicationThreadTest, does_not_compute_in_long_slices_like_who_starts_it) {
  std::atomic<int> is_woken_at_once = -1;
  CommunicationThread::Channel asking = channel(self_);
  asking.deliver = [&](int, int, Bytes) { is_woken_at_once = lipizz::testing::is_woken_at_once(); };
  CommunicationThread thread({asking}, clock_, keep_failure());
  thread.send(0, 0, 5, {});
  lipizz::testing::on_batch_thread([&] { thread.start(); });
  while (is_woken_at_once < 0) std::this_thread::yield();
  thread.stop(1);
  EXPECT_EQ(is_woken_at_once, 1);
}

TEST_F(CommunicationThreadTest, a_pair_stays_together) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  const auto body = std::make_shared<const Bytes>(filled(10, 1));
  for (const int tag : {5, 6}) thread.send_pair(0, 0, tag, {}, tag + 10, {body, *body});
  thread.start();
  wait_for_deliveries(4);
  thread.stop(1);
  EXPECT_THAT(tags_, ElementsAre(5, 15, 6, 16));
  EXPECT_EQ(body.use_count(), 1);
}

TEST_F(CommunicationThreadTest, channels_do_not_mix) {
  Communicator twin = self_.duplicate("twin");
  std::vector<int> on_twin;
  std::atomic<int> n_on_twin = 0;
  CommunicationThread::Channel second = channel(twin);
  second.deliver = [&](int, int tag, Bytes) {
    on_twin.push_back(tag);
    ++n_on_twin;
  };
  CommunicationThread thread({channel(self_), second}, clock_, keep_failure());
  thread.send(1, 0, 8, {});
  thread.send(0, 0, 7, {});
  thread.start();
  wait_for_deliveries(1);
  while (n_on_twin < 1) std::this_thread::yield();
  thread.stop(1);
  EXPECT_THAT(tags_, ElementsAre(7));
  EXPECT_THAT(on_twin, ElementsAre(8));
}

TEST_F(CommunicationThreadTest, a_slow_message_holds_up_its_own_source_only) {
  ThreadWorld world(2);
  Communicator other = world.communicator(1);
  Communicator mine = make_faulty(
      world.communicator(0), {.receive_delay_polls = [](int tag) { return tag == 1 ? 20 : 0; }});
  mine.isend(0, 1, {}, "slow").wait();
  mine.isend(0, 2, {}, "behind the slow one").wait();
  other.isend(0, 3, {}, "from elsewhere").wait();
  CommunicationThread thread({channel(mine)}, clock_, keep_failure());
  thread.start();
  wait_for_deliveries(3);
  thread.stop(1);
  EXPECT_THAT(tags_, ElementsAre(3, 1, 2));
}

TEST_F(CommunicationThreadTest, stop_waits_for_sends_that_take_long) {
  int n_sent = 0;
  Communicator slow =
      make_faulty(self_communicator(), {.delay_polls = 30, .on_sent = [&] { ++n_sent; }});
  CommunicationThread thread({channel(slow)}, clock_, keep_failure());
  thread.start();
  thread.send(0, 0, 1, {});
  thread.send(0, 0, 2, {});
  thread.stop(1e9);
  EXPECT_EQ(n_sent, 2);
}

TEST_F(CommunicationThreadTest, what_never_leaves_to_a_forgotten_rank_does_not_hold_up_the_end) {
  Communicator stuck = make_faulty(self_communicator(), {.delay_polls = 1'000'000'000});
  CommunicationThread thread({channel(stuck)}, clock_, keep_failure());
  thread.start();
  thread.send(0, 0, 1, {});
  thread.send(0, 0, 2, {});
  thread.forget(0, 0);
  thread.stop(1e9);
  EXPECT_TRUE(failures_.empty());
}

// All is posted before the start, so that nothing has left when the rank is forgotten.
TEST_F(CommunicationThreadTest, what_goes_elsewhere_is_not_forgotten) {
  ThreadWorld world(3);
  ThreadWorld other_world(3);
  int n_sent = 0;
  const Faults slow{.delay_polls = 3, .on_sent = [&] { ++n_sent; }};
  Communicator first = make_faulty(world.communicator(0), slow);
  Communicator second = make_faulty(other_world.communicator(0), slow);
  CommunicationThread thread({channel(first), channel(second)}, clock_, keep_failure());
  thread.send(0, 1, 5, {});
  thread.send(0, 2, 6, {});
  thread.send(1, 1, 7, {});
  thread.forget(0, 1);
  thread.start();
  thread.stop(1e9);
  EXPECT_EQ(n_sent, 2) << "to the other rank, and on the other channel";
}

TEST_F(CommunicationThreadTest, a_later_send_to_a_forgotten_rank_goes_like_any_other) {
  int n_sent = 0;
  Communicator slow =
      make_faulty(self_communicator(), {.delay_polls = 3, .on_sent = [&] { ++n_sent; }});
  CommunicationThread thread({channel(slow)}, clock_, keep_failure());
  thread.send(0, 0, 5, {});
  thread.forget(0, 0);
  thread.send(0, 0, 6, {});
  thread.start();
  thread.stop(1e9);
  EXPECT_EQ(n_sent, 1);
}

TEST_F(CommunicationThreadTest, an_arrival_that_never_ends_is_given_up_with_its_source) {
  ThreadWorld world(2);
  Communicator other = world.communicator(1);
  Communicator mine =
      make_faulty(world.communicator(0),
                  {.receive_delay_polls = [](int tag) { return tag == 1 ? 1'000'000'000 : 0; }});
  std::atomic<int> n_admitted = 0;
  CommunicationThread::Channel counting = channel(mine);
  counting.admit = [&](int, int, std::size_t) {
    ++n_admitted;
    return true;
  };
  CommunicationThread thread({counting}, clock_, keep_failure());
  thread.start();
  other.isend(0, 1, {}, "never whole").wait();
  other.isend(0, 2, {}, "behind it").wait();
  while (n_admitted < 2) std::this_thread::yield();
  EXPECT_EQ(n_delivered(), 0U);
  thread.forget(0, 1);
  thread.send(0, 0, 4, {});
  wait_for_deliveries(1);  // the send is posted behind it, so it is forgotten by now
  other.isend(0, 3, {}, "it is back").wait();
  wait_for_deliveries(2);
  thread.stop(1);
  EXPECT_THAT(tags_, ElementsAre(4, 3));
}

TEST_F(CommunicationThreadTest, a_message_that_is_refused_is_dropped) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  for (const int tag : {5, kRefusedTag, 6}) thread.send(0, 0, tag, {});
  thread.start();
  wait_for_deliveries(2);
  thread.stop(0);
  EXPECT_THAT(tags_, ElementsAre(5, 6));
}

TEST_F(CommunicationThreadTest, every_message_is_protected_as_it_leaves_but_a_shared_one) {
  CommunicationThread::Channel numbered = channel(self_);
  int n_protected = 0;
  numbered.protect = [&](int, int, Bytes payload) {
    payload.push_back(static_cast<std::byte>(n_protected++));
    return payload;
  };
  std::vector<Bytes> delivered;
  numbered.deliver = [&](int, int tag, Bytes message) {
    delivered.push_back(std::move(message));
    const std::lock_guard lock(mutex_);
    tags_.push_back(tag);
  };
  CommunicationThread thread({numbered}, clock_, keep_failure());
  const auto shared = std::make_shared<const Bytes>(3, std::byte{9});
  thread.send(0, 0, 5, {});
  thread.send_pair(0, 0, 6, {}, 7, {shared, *shared});
  thread.start();
  wait_for_deliveries(3);
  thread.stop(0);
  EXPECT_THAT(delivered, ElementsAre(Bytes{std::byte{0}}, Bytes{std::byte{1}}, *shared));
}

TEST_F(CommunicationThreadTest, a_handler_that_throws_is_a_failure) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  thread.send(0, 0, kFaultyTag, {});
  thread.start();
  wait_for_failure();
  EXPECT_EQ(failure_of(thread), "the handler is broken");
}

// Unless the thread has a turn at that moment. Only a failing test goes on for ever.
TEST_F(CommunicationThreadTest, in_step_who_posts_sends_and_who_waits_receives) {
  CommunicationThread thread({channel_in_step(self_)}, clock_, keep_failure());
  thread.start();
  const auto has_done_both = [this] {
    const std::lock_guard lock(mutex_);
    const auto self = std::this_thread::get_id();
    return std::ranges::count(senders_, self) > 0 && std::ranges::count(receivers_, self) > 0;
  };
  for (std::size_t n = 1; !has_done_both(); ++n) {
    thread.send(0, 0, 5, {});
    while (n_delivered() < n) {
      thread.progress_until([&] { return n_delivered() == n; }, kLong_s);
    }
  }
  thread.stop(1);
  EXPECT_THAT(failures_, ::testing::IsEmpty());
}

TEST_F(CommunicationThreadTest, out_of_step_the_thread_sends) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  thread.start();
  for (std::size_t n = 1; n <= 20; ++n) {
    thread.send(0, 0, 5, {});
    wait_for_deliveries(n);
  }
  thread.stop(1);
  EXPECT_EQ(std::ranges::count(senders_, std::this_thread::get_id()), 0);
}

TEST_F(CommunicationThreadTest, who_posts_in_step_wakes_the_thread_for_what_stays_under_way) {
  ThreadWorld world(2);
  std::atomic<double> pause_s = 0;
  std::atomic<int> n_wakes = 0;
  for (const int n_tests : {5, 0}) {
    Communicator slow =
        make_faulty(world.communicator(0), {.delay_polls = n_tests,
                                            .on_wait = [&](double max_s) { pause_s = max_s; },
                                            .on_wake = [&] { ++n_wakes; }});
    CommunicationThread thread({channel_in_step(slow)}, clock_, keep_failure());
    thread.start();
    pause_s = 0;
    while (pause_s < 0.005) std::this_thread::yield();  // all is quiet
    do {
      n_wakes = 0;
      thread.send(0, 1, 5, {});
    } while (n_tests == 0 && n_wakes > 0);  // while the thread had a turn
    EXPECT_EQ(n_wakes, n_tests == 0 ? 0 : 1);
    thread.stop(1e9);
  }
}

TEST_F(CommunicationThreadTest, what_cannot_be_sent_by_who_posts_is_a_failure_of_the_thread) {
  auto faulty = channel_in_step(self_);
  faulty.protect = [](int, int, Bytes) -> Bytes { throw std::runtime_error("no key"); };
  CommunicationThread thread({std::move(faulty)}, clock_, keep_failure());
  thread.start();
  thread.send(0, 0, 5, {});
  wait_for_failure();
  thread.send(0, 0, 6, {});
  EXPECT_EQ(failure_of(thread), "no key");
}

TEST_F(CommunicationThreadTest, a_handler_may_send_in_the_turn_of_who_waits) {
  auto answering = channel(self_);
  CommunicationThread* sender = nullptr;
  answering.deliver = [&, deliver = answering.deliver](int source, int tag, Bytes payload) {
    if (tag < 9) sender->send(0, 0, tag + 1, {});
    deliver(source, tag, std::move(payload));
  };
  CommunicationThread thread({std::move(answering)}, clock_, keep_failure());
  sender = &thread;
  thread.start();
  thread.send(0, 0, 5, {});
  while (n_delivered() < 5) thread.progress_until([this] { return n_delivered() == 5; }, kLong_s);
  thread.stop(1);
  EXPECT_THAT(tags_, ElementsAre(5, 6, 7, 8, 9));
}

TEST_F(CommunicationThreadTest, what_a_handler_throws_at_who_waits_is_a_failure_of_the_thread) {
  const auto has_failed = [this] {
    const std::lock_guard lock(mutex_);
    return !failures_.empty();
  };
  do {
    tags_.clear();
    receivers_.clear();
    failures_.clear();
    CommunicationThread thread({channel_in_step(self_)}, clock_, keep_failure());
    thread.start();
    thread.send(0, 0, kFaultyTag, {});
    while (!has_failed()) thread.progress_until(has_failed, kLong_s);
    EXPECT_EQ(failure_of(thread), "the handler is broken");
    thread.progress_until([] { return false; }, 1000);
    thread.send(0, 0, 5, {});
    EXPECT_THAT(tags_, ElementsAre(kFaultyTag));
  } while (receivers_.front() != std::this_thread::get_id());  // the thread had that turn
}

TEST_F(CommunicationThreadTest, who_waits_for_what_does_not_come_gives_up) {
  CommunicationThread thread({channel(self_)}, clock_, keep_failure());
  thread.progress_until([] { return false; }, 1000);  // before the start, too
  thread.start();
  thread.progress_until([] { return false; }, 1000);
  EXPECT_TRUE(thread.stop(1));
}

TEST_F(CommunicationThreadTest, sleeps_longer_while_no_messages_are_expected) {
  std::atomic<double> pause_s = 0;
  std::atomic<int> n_wakes = 0;
  Communicator watched = make_faulty(
      self_communicator(),
      {.on_wait = [&](double max_s) { pause_s = max_s; }, .on_wake = [&] { ++n_wakes; }});
  CommunicationThread thread({channel(watched)}, clock_, keep_failure());
  const auto wait_for_pause = [&](double expected_s) {
    while (pause_s != expected_s) std::this_thread::yield();
  };
  thread.start();
  wait_for_pause(0.010);
  thread.expect_messages(true);
  EXPECT_EQ(n_wakes, 0) << "they were expected";
  thread.expect_messages(false);
  wait_for_pause(0.040);
  EXPECT_EQ(n_wakes, 0);
  thread.expect_messages(true);
  EXPECT_EQ(n_wakes, 1) << "what has come meanwhile is looked for at once";
  wait_for_pause(0.010);
  EXPECT_TRUE(thread.stop(1));
}

TEST_F(CommunicationThreadTest, stop_gives_up_at_its_deadline) {
  Communicator stuck = make_faulty(self_communicator(), {.delay_polls = 1'000'000'000});
  CommunicationThread thread({channel(stuck)}, clock_, keep_failure());
  thread.start();
  thread.send(0, 0, 1, {});
  thread.stop(3600);
  EXPECT_TRUE(failures_.empty());
}

}  // namespace
}  // namespace lipizz::comm::communication_thread_test
