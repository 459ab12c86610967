#pragma once

#include <cstdint>

#include "coev/report.hpp"
#include "comm/messages.hpp"
#include "telemetry/profile.hpp"
#include "worker/exchange.hpp"

namespace lipizz::worker {

/// Makes what the master hears of a cell at the end of the run.
comm::CellResult cell_result(const coev::CellReport& report, std::uint64_t fingerprint,
                             const telemetry::Profile& profile, const Exchange::Traffic& traffic);

}  // namespace lipizz::worker
