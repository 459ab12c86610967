#pragma once

namespace lipizz::worker {

/// The text of worker/read_mixture.py, which the build turns into a source: a program carries it
/// along wherever it is copied to, and a run's folder has the reader of its own build.
extern const char* const kMixtureReader;

}  // namespace lipizz::worker
