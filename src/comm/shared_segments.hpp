#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lipizz::comm {

/// The number of the job that Open MPI's mpirun has started this process in; nothing elsewhere.
[[nodiscard]] std::optional<std::uint32_t> open_mpi_job();

/// Removes the names of the shared memory that ranks of this job of Open MPI made on this host,
/// which those leave behind that do not end together. Only when the job is over: ranks that have
/// not talked to each other yet find each other by these names.
void remove_shared_segments(std::uint32_t job);

/// Removes the shared memory of this user's ranks of Open MPI on this host that all are dead, as
/// killed ranks leave it that nobody cleans up after: segments that no process has mapped and that
/// are older than a minute, since ranks that start make theirs a moment before they map them.
void remove_stale_segments(std::filesystem::file_time_type now);

}  // namespace lipizz::comm
