#pragma once

#include <cstdint>
#include <span>

namespace lipizz::app {

/// Kills those of `pids` on this host that still are what they were: children of this process's
/// parent, running this program. A rank that was given up may only be stopped, and its launcher
/// would wait for it for ever.
void end_lost_siblings(std::span<const std::uint32_t> pids);

}  // namespace lipizz::app
