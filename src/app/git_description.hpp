#pragma once

namespace lipizz::app {

/// The source that this program was built from, as `git describe` names it, `-dirty` behind it when
/// files had been changed. Empty where the source was no git checkout. The build writes it.
extern const char* const kGitDescription;

}  // namespace lipizz::app
