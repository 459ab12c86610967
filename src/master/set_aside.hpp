#pragma once

#include <filesystem>

namespace lipizz::master {

/// Nothing that a run cannot go on from is thrown away: it moves to `RUN/set-aside-1`, the next
/// time to `RUN/set-aside-2`, for people to look at. No run reads it again.

/// Makes the next of these folders. CheckpointError when it cannot.
std::filesystem::path make_set_aside(const std::filesystem::path& run);

/// Moves all that a resume would look at: checkpoints, metrics, the result. Returns where to;
/// CheckpointError naming what cannot be moved.
std::filesystem::path set_progress_aside(const std::filesystem::path& run);

/// Moves the result and its mixture, where there are any; else changes nothing. CheckpointError as
/// above.
void set_result_aside(const std::filesystem::path& run);

}  // namespace lipizz::master
