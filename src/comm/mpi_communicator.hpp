#pragma once

#include "comm/communicator.hpp"

namespace lipizz::comm {

/// A duplicate of MPI_COMM_WORLD. MPI must be initialised. Collective.
[[nodiscard]] Communicator mpi_world();

}  // namespace lipizz::comm
