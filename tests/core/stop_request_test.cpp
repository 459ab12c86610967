#include "core/stop_request.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace lipizz::stop_request_test {
namespace {

TEST(StopRequest, nobody_has_asked_at_first) {
  EXPECT_EQ(StopRequest().reason(), "");
}

TEST(StopRequest, the_first_reason_stays) {
  StopRequest request;
  request.ask("signal TERM");
  request.ask("signal USR1");
  EXPECT_EQ(request.reason(), "signal TERM");
}

TEST(StopRequest, every_listener_hears_it_once) {
  StopRequest request;
  int n_first = 0;
  int n_second = 0;
  const auto first = request.subscribe([&] { ++n_first; });
  const auto second = request.subscribe([&] { ++n_second; });
  EXPECT_EQ(n_first, 0);
  std::jthread([&] { request.ask("signal TERM"); }).join();
  request.ask("signal TERM");
  EXPECT_EQ(n_first, 1);
  EXPECT_EQ(n_second, 1);
}

TEST(StopRequest, who_comes_late_hears_it_at_once) {
  StopRequest request;
  request.ask("signal TERM");
  bool has_heard = false;
  const auto late = request.subscribe([&] { has_heard = true; });
  EXPECT_TRUE(has_heard);
}

TEST(StopRequest, who_is_gone_hears_nothing) {
  StopRequest request;
  int n_heard = 0;
  {
    const auto gone = request.subscribe([&] { ++n_heard; });
  }
  request.ask("signal TERM");
  EXPECT_EQ(n_heard, 0);
}

}  // namespace
}  // namespace lipizz::stop_request_test
