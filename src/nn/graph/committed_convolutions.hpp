#pragma once

namespace lipizz::nn {

/// The text of nn/graph/convolutions.json, which the build turns into a source.
extern const char* const kCommittedConvolutions;

}  // namespace lipizz::nn
