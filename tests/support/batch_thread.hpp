#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include <thread>

#include "core/time_slice.hpp"

namespace lipizz::testing {

/// Calls `work` on a thread that prefers long time slices, as the one that trains does.
template <class Work>
void on_batch_thread(const Work& work) {
  std::thread([&] {
    prefer_long_time_slices();
    work();
  }).join();
}

/// True when the calling thread shares its core by turns, and waits for no batch work.
inline bool is_woken_at_once() {
#if defined(__linux__)
  return sched_getscheduler(0) == SCHED_OTHER;
#else
  return true;
#endif
}

}  // namespace lipizz::testing
