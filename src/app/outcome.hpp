#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "comm/messages.hpp"

namespace lipizz::app {

/// How a rank's part of a run ends.
struct Outcome {
  int exit_code = 0;
  std::exception_ptr error = nullptr;  // on the master: what ends the run
  comm::Ending ending = comm::Ending::kTogether;
  // On the master: processes of its host that were given up.
  std::vector<std::uint32_t> lost_pids = {};
};

}  // namespace lipizz::app
