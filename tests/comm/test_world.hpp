#pragma once

#include <gmock/gmock.h>

#include <atomic>
#include <exception>
#include <functional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/thread_world.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace lipizz::comm {

/// So many bytes of this value.
inline Bytes filled(std::size_t n_bytes, int value) {
  return Bytes(n_bytes, static_cast<std::byte>(value));
}

/// The message of a call that should fail.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const CommError& error) {
    return error.what();
  }
  return "no CommError";
}

/// A clock on which every look is half a minute later.
class HurryingClock final : public Clock {
 public:
  double now_s() const override { return now_s_.fetch_add(30); }

 private:
  mutable std::atomic<double> now_s_ = 0;
};

/// The work of one rank in a test.
using RankBody = std::function<void(Communicator)>;

/// Runs a body on every rank of some transport.
struct TestWorld {
  std::string name;
  std::function<void(const RankBody&)> run;
};

inline void PrintTo(const TestWorld& world, std::ostream* out) {
  *out << world.name;
}

inline std::string name_of_world(const ::testing::TestParamInfo<TestWorld>& info) {
  return info.param.name;
}

/// Runs the body on so many threads. A body that throws fails the test and ends the others' calls.
inline void run_on_threads(int n_ranks, const RankBody& body) {
  ThreadWorld world(n_ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < n_ranks; ++rank) {
    threads.emplace_back([&body, &world, rank] {
      Communicator mine = world.communicator(rank);
      Communicator to_end_it = world.communicator(rank);
      try {
        body(std::move(mine));
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
        EXPECT_THROW(to_end_it.abort(1), CommError);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

inline TestWorld thread_world(int n_ranks) {
  return {"threads" + std::to_string(n_ranks),
          [n_ranks](const RankBody& body) { run_on_threads(n_ranks, body); }};
}

}  // namespace lipizz::comm
