#include "app/mpirun_attempt.hpp"

#include <csignal>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "app/launcher.hpp"
#include "core/error.hpp"
#include "master/run_folder.hpp"

namespace lipizz::app {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kToReturn(10);  // for mpirun, once the result is there
constexpr Seconds kToEnd(5);      // after SIGTERM, before SIGKILL
constexpr int kLost = static_cast<int>(ExitCode::kCommunication);

}  // namespace

Seconds since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::steady_clock::now() - begin;
}

MpirunAttempt::MpirunAttempt(const std::vector<std::string>& command, const SessionFolder& session,
                             std::filesystem::path run, const std::string& launch_id)
    : run_(std::move(run)),
      launch_id_(launch_id),
      exit_code_file_(session.exit_code_file()),
      written_before_(result_written()),
      taken_before_(master::RunFolderLock::last_taken(run_)),
      mpirun_(command,
              // Nobody would remove a folder of this name on other hosts.
              {"OMPI_MCA_orte_local_tmpdir_base=" + session.path().string(), kOverlap,
               mark_of_launch(launch_id_), kExitCodeFile + ("=" + exit_code_file_.string())}) {}

LaunchEnd MpirunAttempt::wait(StopSignals& signals) {
  bool has_passed_on = false;
  for (;;) {
    const bool is_asked = !signals.requested().empty();
    if (const auto exit_code = mpirun_.poll()) return ended_with(*exit_code);
    if (is_asked && !has_passed_on) mpirun_.signal(SIGUSR1);
    has_passed_on = is_asked;
    if (has_result() || master_is_gone()) return end(signals);
    std::this_thread::sleep_for(kPause);
  }
}

MpirunAttempt::FileTime MpirunAttempt::result_written() const {
  std::error_code none;
  const auto time = std::filesystem::last_write_time(run_ / "result.json", none);
  return none ? std::nullopt : FileTime(time);
}

bool MpirunAttempt::is_ours() const {
  return master::RunFolderLock::last_holder(run_) == launch_id_;
}

bool MpirunAttempt::has_result() const {
  const FileTime time = result_written();
  return time && time != written_before_ && is_ours();
}

// It held the run's folder, and does no more.
bool MpirunAttempt::master_is_gone() {
  const bool is_there = master::RunFolderLock::is_held(run_) && is_ours();
  was_there_ = was_there_ || is_there;
  return was_there_ && !is_there;
}

// mpirun has nothing left to do; after the loss of a host it does not notice.
LaunchEnd MpirunAttempt::end(StopSignals& signals) {
  const bool returns = ends_within(kToReturn, signals);
  if (!returns) {
    mpirun_.signal(SIGTERM);
    if (!ends_within(kToEnd, signals)) mpirun_.signal(SIGKILL);
  }
  // Its exit code after a signal from here says nothing.
  return ended_with(returns ? *mpirun_.poll() : kLost);
}

// Where survivors of a lost rank go on, mpirun returns 0 whatever becomes of them. Where mpirun or
// a rank was killed, the others were ended by it: that they saved what they had is no stop that
// somebody asked for.
LaunchEnd MpirunAttempt::ended_with(int exit_code) const {
  int told = 0;
  const bool has_told = static_cast<bool>(std::ifstream(exit_code_file_) >> told);
  const bool was_killed = exit_code > kEndedBySignal;
  if (told == static_cast<int>(ExitCode::kResumable) && was_killed) return {.exit_code = exit_code};
  if (has_told && told != 0) return {.exit_code = told};
  if (has_result()) return {.exit_code = 0, .has_result = true};
  if (has_told) return {.exit_code = told};
  const bool has_started = is_ours() && master::RunFolderLock::last_taken(run_) != taken_before_;
  return {.exit_code = exit_code == 0 ? kLost : exit_code, .has_started = has_started};
}

bool MpirunAttempt::ends_within(Seconds patience, StopSignals& signals) {
  const auto begin = std::chrono::steady_clock::now();
  while (!mpirun_.poll() && since(begin) < patience) {
    signals.requested();  // a second SIGINT ends everything
    std::this_thread::sleep_for(kPause);
  }
  return mpirun_.poll().has_value();
}

}  // namespace lipizz::app
