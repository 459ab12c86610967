#pragma once

#include <string>

namespace lipizz::report {

/// A length of time for people: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. Not negative.
std::string duration_text(double seconds);

}  // namespace lipizz::report
