#pragma once

namespace lipizz {

/// Where time comes from. Nothing else reads a clock, so tests inject their own.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Monotonic seconds since an arbitrary moment. Any thread may call it.
  [[nodiscard]] virtual double now_s() const = 0;
};

/// The machine's monotonic clock.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] double now_s() const override;
};

/// CPU seconds that the calling thread has used.
double thread_cpu_s();

}  // namespace lipizz
