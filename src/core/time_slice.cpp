#include "core/time_slice.hpp"

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace lipizz {

#if defined(__linux__)
namespace {

// The kernel's struct sched_attr, first version, which the C library does not declare.
struct SchedulingAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime_ns;
  std::uint64_t deadline_ns;
  std::uint64_t period_ns;
};
static_assert(sizeof(SchedulingAttributes) == 48);

constexpr std::uint64_t kLongestSliceNs = 100'000'000;
constexpr std::uint64_t kUsualSlice = 0;

// A wish: where it is refused, nothing changes.
void schedule_caller(std::uint32_t policy, std::uint64_t slice_ns) {
  SchedulingAttributes wanted{};
  wanted.size = sizeof wanted;
  wanted.policy = policy;
  wanted.nice = getpriority(PRIO_PROCESS, 0);
  wanted.runtime_ns = slice_ns;
  syscall(SYS_sched_setattr, 0, &wanted, 0);
}

}  // namespace

void prefer_long_time_slices() {
  schedule_caller(SCHED_BATCH, kLongestSliceNs);
}
void prefer_short_waits() {
  schedule_caller(SCHED_OTHER, kUsualSlice);
}
#else
void prefer_long_time_slices() {}
void prefer_short_waits() {}
#endif

}  // namespace lipizz
