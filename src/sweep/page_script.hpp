#pragma once

#include <string_view>

namespace lipizz::sweep {

/// page/sweep.js, whole, read when CMake configures the build.
extern const std::string_view kSweepScript;

}  // namespace lipizz::sweep
