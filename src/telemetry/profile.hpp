#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace lipizz::telemetry {

/// Seconds per routine, summed by name, in the order in which the names first came.
class Profile {
 public:
  struct Entry {
    std::string routine;
    double seconds = 0;
  };

  void add(std::string_view routine, double seconds);
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  /// 0 for a routine that never ran.
  [[nodiscard]] double seconds(std::string_view routine) const;

 private:
  std::vector<Entry> entries_;
};

/// Adds the clock's seconds from its construction to its end to one routine of a profile.
class Span {
 public:
  Span(Profile& profile, std::string_view routine, const Clock& clock)
      : profile_(profile), routine_(routine), clock_(clock), start_s_(clock.now_s()) {}
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() { profile_.add(routine_, clock_.now_s() - start_s_); }

 private:
  Profile& profile_;
  std::string_view routine_;
  const Clock& clock_;
  double start_s_;
};

}  // namespace lipizz::telemetry
