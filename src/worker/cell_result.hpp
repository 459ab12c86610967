#pragma once

#include <cstdint>

#include "coev/report.hpp"
#include "comm/messages.hpp"
#include "worker/exchange.hpp"
#include "worker/training_loop.hpp"

namespace lipizz::worker {

/// Makes what the master hears of a cell at the end of the run.
comm::CellResult cell_result(const coev::CellReport& report, std::uint64_t fingerprint,
                             const TrainingLoop::Seconds& seconds,
                             const Exchange::Traffic& traffic);

}  // namespace lipizz::worker
