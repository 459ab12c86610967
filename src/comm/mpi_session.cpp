#include "comm/mpi_session.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "comm/mpi_communicator.hpp"
#include "core/error.hpp"

namespace lipizz::comm {
namespace {

// Set by Open MPI's mpirun, by MPICH's mpiexec and srun --mpi=pmi2, by srun --mpi=pmix.
constexpr std::array kLauncherVariables{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
                                        "PMIX_RANK"};

constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kPause = std::chrono::milliseconds(1);

bool is_initialised() {
  int is = 0;
  MPI_Initialized(&is);
  return is != 0;
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void listen_to_nobody_else_on_one_node() {
  const std::string_view here = variable("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (here.empty() || here != variable("OMPI_COMM_WORLD_SIZE")) return;
  setenv("OMPI_MCA_btl", "self,vader", /*overwrite=*/0);
}

// mpirun's own folder may have been named for its host alone (app/mpirun_attempt.cpp). Every rank
// is told where it is by the other name as well, and Open MPI refuses to be told twice.
void expect_one_name_of_mpiruns_folder() {
  if (std::getenv("OMPI_MCA_orte_tmpdir_base") == nullptr) return;
  unsetenv("OMPI_MCA_orte_local_tmpdir_base");
}

int start(bool is_owner) {
  if (is_owner) {
    listen_to_nobody_else_on_one_node();
    expect_one_name_of_mpiruns_folder();
  }
  int provided = MPI_THREAD_SINGLE;
  const int status = is_owner ? MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided)
                              : MPI_Query_thread(&provided);
  if (status != MPI_SUCCESS) {
    throw CommError("MPI does not start (status " + std::to_string(status) +
                    "); start without mpirun, or check the MPI installation");
  }
  return provided;
}

}  // namespace

bool started_by_launcher() {
  return std::ranges::any_of(kLauncherVariables,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

// `Open MPI v4.1.4, package: Debian OpenMPI, ident: ...`, `MPICH Version: 4.0.2` and more lines.
Library mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data(), static_cast<std::size_t>(std::max(length, 0)));
  return {"MPI", whole.substr(0, whole.find_first_of(",\n"))};
}

MpiSession::MpiSession() : is_owner_(!is_initialised()) {
  const int provided = start(is_owner_);
  if (provided < MPI_THREAD_SERIALIZED) {
    throw CommError(
        "expected an MPI library that lets threads take turns (MPI_THREAD_SERIALIZED), found "
        "level " +
        std::to_string(provided) + "; start without mpirun, or use another MPI library");
  }
  world_ = mpi_world();
}

MpiSession::~MpiSession() {
  leave(static_cast<int>(ExitCode::kInternal));
}

void MpiSession::leave(int exit_code) {
  if (!is_owner_ || std::exchange(has_left_, true)) return;
  Request all_came = world_.ibarrier("ending MPI");
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!all_came.test()) {
    if (std::chrono::steady_clock::now() > deadline) world_.abort(exit_code);
    std::this_thread::sleep_for(kPause);
  }
  MPI_Finalize();
}

void MpiSession::leave_alone(int exit_code) {
  std::fflush(nullptr);
  _exit(exit_code);
}

std::string MpiSession::thread_level() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE ? "multiple" : "serialized";
}

Communicator MpiSession::world() {
  return world_.duplicate("making WORLD");
}

}  // namespace lipizz::comm
