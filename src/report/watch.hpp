#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "report/run_follower.hpp"
#include "report/screen.hpp"

namespace lipizz::report {

/// The means by which somebody watches a run.
struct Watch {
  Screen& screen;
  std::function<double()> now_s;  // since 1970
  std::function<void()> pause;    // until the next look; a second
  std::function<bool()> is_free;  // no process writes the run, as far as this host can tell
  std::string host;               // this one
  std::string how_to_go_on;       // a command
};

/// Shows the run until it ends, as rank 0 does: the live view on a terminal, plain lines elsewhere.
/// Says at last how it ended. True when it finished. A run that no process holds and whose files
/// have not grown for ten seconds, where it is another host's for a minute and for ten generations,
/// is taken to have ended without a word.
bool watch(RunFollower& run, const Watch& by);

/// Shows the present state, and leaves. True as above.
bool look(RunFollower& run, const Watch& by);

}  // namespace lipizz::report
