#pragma once

#include <cstdint>

#include "coev/settings.hpp"
#include "comm/setup_messages.hpp"
#include "core/clock.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::setup {

/// How long a batch takes the device, one step of both networks of each cell: of one cell alone and
/// of `n_cells` (at least 1; at most 16 are tried) at once. On the host one cell follows the other.
/// Takes less than a second, or four batches where these take longer.
Speed measure_speed(nn::Device& device, const coev::Settings& settings, std::uint32_t n_cells,
                    const Clock& clock);

}  // namespace lipizz::setup
