#pragma once

#include <cstdint>
#include <optional>

namespace lipizz::comm {

/// The number of the job that Open MPI's mpirun has started this process in; nothing elsewhere.
[[nodiscard]] std::optional<std::uint32_t> open_mpi_job();

/// Removes the names of the shared memory that ranks of this job of Open MPI made on this host,
/// which those leave behind that do not end together. Only when the job is over: ranks that have
/// not talked to each other yet find each other by these names.
void remove_shared_segments(std::uint32_t job);

}  // namespace lipizz::comm
