#pragma once

#include <string>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// What a run will hold in memory, for people: bytes of the networks of one cell, of the busiest
/// rank, and of the dataset, which the ranks of a host share. Opens the dataset to measure it.
std::string memory_estimate(const config::Experiment& experiment, const comm::Verdict& verdict);

/// Bytes of a cell's networks: the centre and its offspring with their optimizers' state, what each
/// neighbour has published, arrived and in use, and the cell's own last two publications.
std::size_t cell_bytes(const config::Experiment& experiment);

}  // namespace lipizz::app
