#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/doctor.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "setup/machine_speed.hpp"

namespace lipizz::app {

/// The processor: cores, the numerics level, and how fast one core is.
Finding check_processor(std::uint32_t n_cores, const std::string& level,
                        const setup::MachineSpeed& speed);

/// The load of this host, as host_load() has it, noted where it leaves this process fewer cores
/// than it may use.
Finding check_load(double load, std::uint32_t n_host_cores, std::uint32_t n_cores);

/// Memory, and what bounds it more than the host does.
Finding check_memory(const comm::InventoryEntry::Memory& memory);

/// The GPUs that this program can train on, or why there are none. `wanted`: a setting `device`.
Finding check_gpus(int n_gpus, const std::string& why_none, const std::string& wanted);

/// Ranks for the grid against the room for them: `n_slots` of a scheduler's job, or cores.
Finding check_slots(const config::Grid& grid, const config::Compute& compute, std::uint32_t n_cores,
                    std::optional<std::uint32_t> n_slots);

}  // namespace lipizz::app
