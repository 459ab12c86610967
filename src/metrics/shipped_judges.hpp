#pragma once

#include <cstddef>
#include <span>

namespace lipizz::metrics {

/// The judges that come with the program, each as pack_judge() made it: those of the datasets that
/// `lipizz list datasets` names, so that nobody waits for one. They are the files of
/// src/metrics/judges, which a program carries along; tests/metrics/shipped_judges_test.cpp trains
/// each anew and compares, and says how the files are written.
std::span<const std::span<const std::byte>> shipped_judges();

}  // namespace lipizz::metrics
