#include "app/watch_command.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/run_argument.hpp"
#include "app/terminal.hpp"
#include "core/error.hpp"
#include "core/host.hpp"
#include "master/run_folder.hpp"
#include "report/watch.hpp"

namespace lipizz::app {
namespace {

constexpr auto kPeriod = std::chrono::seconds(1);

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

int watch_command(const CommandLine& line, std::ostream& /*out*/) {
  const std::filesystem::path folder = trained_folder("watch", line.arguments.front());
  Terminal terminal;
  const report::Watch by{.screen = terminal,
                         .now_s = seconds_since_1970,
                         .pause = [] { std::this_thread::sleep_for(kPeriod); },
                         .is_free = [&] { return master::RunFolderLock::is_free(folder); },
                         .host = host_name(),
                         .how_to_go_on = "lipizz --resume " + folder.string()};
  report::RunFollower run(folder);
  if (line.given.has_flag("once")) {
    report::look(run, by);
    return static_cast<int>(ExitCode::kDone);
  }
  const bool has_finished = report::watch(run, by);
  return static_cast<int>(has_finished ? ExitCode::kDone : ExitCode::kResumable);
}

}  // namespace lipizz::app
