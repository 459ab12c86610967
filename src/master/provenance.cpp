#include "master/provenance.hpp"

#include <fmt/chrono.h>

namespace lipizz::master {

using std::chrono::system_clock;

RunTimer::RunTimer(const Clock& clock) : clock_(clock), started_(system_clock::now()) {}

void RunTimer::begin_training() {
  if (!began_s_) began_s_ = clock_.now_s();
}

void RunTimer::end_training() {
  if (began_s_) training_s_ = clock_.now_s() - *began_s_;
}

RunTimes RunTimer::times() const {
  return {started_, system_clock::now(), training_s_};
}

std::string time_text(system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(system_clock::to_time_t(time)));
}

}  // namespace lipizz::master
