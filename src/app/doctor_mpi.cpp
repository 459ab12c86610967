#include "app/doctor_mpi.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "comm/mpi_session.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

std::string mpirun_for_two(bool is_root) {
  return std::string("mpirun ") + (is_root ? "--allow-run-as-root " : "") +
         "--oversubscribe -np 2 ";
}

// `4.1.4` of `mpirun (Open MPI) 4.1.4` and of `Open MPI v4.1.4`
std::string version_in(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

void begin_session(MpiTrial& trial) {
  try {
    comm::MpiSession session;
    const int n_ranks = session.world().size();
    trial.thread_level = comm::MpiSession::thread_level();
    if (comm::started_by_launcher()) trial.n_ranks = n_ranks;
    session.leave(0);
  } catch (const CommError& error) {
    trial.failure = error.what();
  }
}

// The text that the work gives; empty where it ended the process. To be called while there is one
// thread. Nothing of its complaints is heard.
std::string in_another_process(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    const std::string text = work();
    static_cast<void>(!write(ends[1], text.data(), text.size()));
    _exit(0);
  }
  close(ends[1]);
  std::string text(4096, ' ');
  const ssize_t n = child < 0 ? 0 : read(ends[0], text.data(), text.size());
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return text;
}

Finding check_launcher(const MpiTrial& trial, bool is_root) {
  const std::string subject = "mpirun";
  if (trial.mpirun.empty()) {
    return problem(subject, "there is none in PATH",
                   "install Open MPI (Debian: openmpi-bin) or load its module; without it lipizz "
                   "train works in one process");
  }
  const std::string other = version_in(trial.mpirun) == version_in(trial.library)
                                ? ""
                                : "; this program is linked to " + trial.library;
  if (!trial.starts_ranks) {
    return problem(subject, trial.mpirun + " starts no two ranks" + other,
                   "type `" + mpirun_for_two(is_root) + "true`, which says why");
  }
  if (!other.empty()) {
    return note(subject, trial.mpirun + other,
                "ranks may not find each other: use the mpirun of "
                "the library that the program was built with");
  }
  return ok(subject,
            trial.mpirun + (is_root ? "; it wants --allow-run-as-root of you, which launch "
                                      "gives it"
                                    : ""));
}

Finding check_recovery(bool lets_ranks_go_on, bool is_tried) {
  const std::string subject = "recovery";
  if (lets_ranks_go_on) {
    return ok(subject, is_tried ? "--enable-recovery works: with `lipizz launch --spares 1` a run "
                                  "goes on without a restart when a worker is lost"
                                : "on: a run goes on when a worker is lost");
  }
  if (!is_tried) {
    return note(subject, "off: a lost worker ends the run",
                "give mpirun --enable-recovery, or start with `lipizz launch --spares 1`");
  }
  return note(subject, "mpirun ends all ranks when one is lost, --enable-recovery or not",
              "`lipizz launch` starts the run again from what was saved");
}

}  // namespace

MpiTrial try_session() {
  MpiTrial trial;
  trial.library = comm::mpi_library().version;
  if (comm::started_by_launcher()) {
    begin_session(trial);
    return trial;
  }
  const std::string told = in_another_process([] {
    MpiTrial alone;
    begin_session(alone);
    return alone.thread_level.empty() ? "!" + alone.failure : alone.thread_level;
  });
  if (told.empty()) trial.failure = "MPI ends a process that begins it";
  if (told.starts_with("!")) trial.failure = told.substr(1);
  if (trial.failure.empty()) trial.thread_level = told;
  return trial;
}

void try_mpirun(bool is_root, const RunCommand& run, MpiTrial& trial) {
  const std::string version = run("mpirun --version");
  trial.mpirun = version.substr(0, version.find('\n'));
  if (trial.mpirun.empty()) return;
  trial.starts_ranks = run(mpirun_for_two(is_root) + "echo here") == "here\nhere\n";
  if (!trial.starts_ranks) return;
  // It sleeps for longer than mpirun takes to end it, and ends as soon as it is told to.
  constexpr const char* kLoseOne =
      "sh -c 'if [ \"$OMPI_COMM_WORLD_RANK\" = 1 ]; then kill -9 $$; fi; trap \"exit 1\" TERM; "
      "sleep 2 & wait; echo alive'";
  const std::string lost = run(mpirun_for_two(is_root) + "--enable-recovery " + kLoseOne);
  trial.lets_ranks_go_on = lost.find("alive") != std::string::npos;
}

std::vector<Finding> check_mpi(const MpiTrial& trial, bool is_root) {
  std::vector<Finding> findings;
  if (trial.thread_level.empty()) {
    findings.push_back(problem("MPI", trial.library + ": " + trial.failure,
                               "lipizz train without mpirun needs none"));
  } else {
    const std::string ranks =
        trial.n_ranks ? fmt::format("; {} of this launcher", counted(*trial.n_ranks, "rank")) : "";
    findings.push_back(ok("MPI", trial.library + ", threads: " + trial.thread_level + ranks));
  }
  if (!trial.n_ranks) findings.push_back(check_launcher(trial, is_root));
  if (trial.lets_ranks_go_on)
    findings.push_back(check_recovery(*trial.lets_ranks_go_on, !trial.n_ranks));
  return findings;
}

}  // namespace lipizz::app
