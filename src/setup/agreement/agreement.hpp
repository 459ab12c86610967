#pragma once

#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"

namespace lipizz::setup {

/// Finds what all ranks agree on before anything is computed, from the inventory; pure
/// functions. `entries` has one entry per rank, the master's own first.

/// Throws the error of a rank that failed (that of the lowest rank; it is named unless all failed
/// alike), and ConfigError naming ranks and hosts when versions, builds or configurations differ.
void check_agreement(std::span<const comm::InventoryEntry> entries);

/// ConfigError where the ranks beside the master do not divide into workers with their helpers.
void check_number_of_ranks(std::size_t n_ranks, std::uint32_t ranks_per_cell);

/// The numerics level of the run: `wanted`, or for `auto` the highest that every rank offers.
/// ConfigError naming the rank that does not offer what is wanted.
std::string agreed_numerics(std::span<const comm::InventoryEntry> entries,
                            const std::string& wanted);

/// The kind of device that a run computes with.
struct AgreedDevice {
  std::string name;  // as the configuration's `device`, but for `auto`
  std::string note;  // what `auto` chose, and why; else empty
};

/// `wanted`, or for `auto` GPUs where all workers have one, else the processor. ConfigError naming
/// the rank that lacks the GPU that is wanted; `cuda+cpu` wants one of any worker.
AgreedDevice agreed_device(std::span<const comm::InventoryEntry> entries,
                           const std::string& wanted);

/// The device that each rank computes with, as nn::open_device() takes it; the master's is empty.
/// `cuda`: the GPUs of a node are dealt out to its workers in turn. `cuda+cpu`: each goes to one
/// worker, and those that come after compute on the processor.
std::vector<std::string> dealt_devices(std::span<const comm::InventoryEntry> entries,
                                       const std::string& device);

}  // namespace lipizz::setup
