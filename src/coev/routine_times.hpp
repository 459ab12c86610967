#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/clock.hpp"

namespace lipizz::coev {

/// Where a cell's CPU time goes: the routines of Perez et al. 2020 that need no message (train,
/// update_genomes, mutate), and two more, which they count elsewhere: evaluate is fitness, mixture
/// everything about mixtures (samples, weights, score), on which no other cell depends.
enum class Routine { kTrain, kUpdateGenomes, kMutate, kEvaluate, kMixture };

inline constexpr std::array<std::string_view, 5> kRoutineNames{"train", "update_genomes", "mutate",
                                                               "evaluate", "mixture"};

/// CPU seconds of the calling thread per routine.
class RoutineTimes {
 public:
  void add(Routine routine, double seconds) { seconds_[index(routine)] += seconds; }
  [[nodiscard]] double seconds(Routine routine) const { return seconds_[index(routine)]; }

 private:
  static std::size_t index(Routine routine) { return static_cast<std::size_t>(routine); }
  std::array<double, kRoutineNames.size()> seconds_{};
};

/// Runs `work` and adds the time that it took.
template <class Work>
auto timed(RoutineTimes& times, Routine routine, const Work& work) {
  struct Stopwatch {
    RoutineTimes& times;
    Routine routine;
    double start_s = thread_cpu_s();
    ~Stopwatch() { times.add(routine, thread_cpu_s() - start_s); }
  } const stopwatch{times, routine};
  return work();
}

}  // namespace lipizz::coev
