#pragma once

#include <span>

#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "data/description.hpp"
#include "nn/base/engine.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::worker {

/// The memory of a worker that hosts these cells of a resolved experiment: the sum of what each
/// class that owns large buffers says of itself. Found from what the networks and their programs
/// are described by; nothing is allocated for it. `hosted` ascends. `survives_losses`: workers keep
/// copies of each other's cells.
setup::WorkerMemory memory_of(const config::Experiment& experiment, const nn::Engine& engine,
                              const data::Description& dataset, std::span<const CellId> hosted,
                              bool survives_losses);

/// The same of a helper of such a worker, with an engine that has collectives: what it is told of
/// one cell's training, and its part of the steps.
setup::WorkerMemory memory_of_helper(const config::Experiment& experiment, const nn::Engine& engine,
                                     const data::Description& dataset,
                                     std::span<const CellId> hosted);

}  // namespace lipizz::worker
