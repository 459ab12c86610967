#pragma once

#include <cstdio>

#include "comm/mpi_session.hpp"
#include "comm/test_world.hpp"

namespace lipizz::comm {

/// The ranks of mpirun. A body that throws ends all processes, since the others wait for it.
inline TestWorld mpi_test_world() {
  return {"mpi", [](const RankBody& body) {
            MpiSession session;
            Communicator to_end_it = session.world();
            try {
              body(session.world());
            } catch (const std::exception& error) {
              std::fprintf(stderr, "rank %d: %s\n", to_end_it.rank(), error.what());
              to_end_it.abort(1);
            }
          }};
}

}  // namespace lipizz::comm
