#pragma once

#include <cstdint>
#include <optional>

namespace lipizz::app {

/// How often a job that died is started again, and how soon. A job that gets on between its deaths
/// may die as often as it likes; one that does not is given up after so many restarts, each after a
/// longer pause than the one before. A state machine without a clock.
class Restarts {
 public:
  explicit Restarts(std::uint32_t at_most) : at_most_(at_most) {}

  /// The job has died; it `has_progressed` when it has saved a generation since it was started.
  /// Seconds to wait before it is started again (0, 2, 4, 8 ... 60), or nothing when that is
  /// enough.
  std::optional<double> next(bool has_progressed);

  /// Restarts since the last progress.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t at_most() const { return at_most_; }

 private:
  std::uint32_t at_most_;
  std::uint32_t count_ = 0;
};

}  // namespace lipizz::app
