#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "core/library.hpp"

namespace lipizz::comm {

/// The MPI library that this program is linked to, whether it is in use or not.
[[nodiscard]] Library mpi_library();

/// Tells by the environment whether a launcher (mpirun, mpiexec, srun) has started this process;
/// only then is MPI worth its start-up time.
[[nodiscard]] bool started_by_launcher();

/// MPI from its initialisation to its end. Make one in main, before other threads; destroy it,
/// last, in the same thread. If somebody else has initialised MPI already, it uses that and leaves
/// its end to them.
///
/// Where all ranks are on one node, Open MPI is told to use shared memory alone: else every rank
/// listens on all of the machine's addresses. A choice of the user's (OMPI_MCA_btl) stays.
///
/// The end is collective: leave() waits, asleep, until every rank has come. A rank that has lost a
/// peer leaves by Communicator::abort() instead.
class MpiSession {
 public:
  /// Throws CommError when MPI does not start or gives less than MPI_THREAD_SERIALIZED (one thread
  /// at a time, any thread).
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// Ends MPI, if this made it. When a rank has not come after ten seconds it is taken for lost:
  /// all that the run had to do is done, so this process ends the job with `exit_code`. Once.
  void leave(int exit_code);

  /// Ends this process at once: where a rank was lost that the run went on without, the collective
  /// end of MPI would wait for it for ever.
  [[noreturn]] void leave_alone(int exit_code);

  /// How MPI lets threads call it: `serialized` or `multiple`.
  [[nodiscard]] static std::string thread_level();

  /// All ranks of the launcher, on a context of its own. Collective.
  [[nodiscard]] Communicator world();

 private:
  bool is_owner_;
  bool has_left_ = false;
  // Outlives MPI_Finalize, and with it the buffers of whatever was given up half-way.
  Communicator world_;
};

}  // namespace lipizz::comm
