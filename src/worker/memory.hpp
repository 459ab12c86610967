#pragma once

#include <cstddef>
#include <span>

#include "coev/settings.hpp"
#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "nn/base/engine.hpp"

namespace lipizz::worker {

/// Bytes that a worker holds when it holds most, beside the program itself and the dataset, which
/// the workers of a host share.
struct Memory {
  std::size_t cells;       // centres with moments, and one cell's offspring
  std::size_t neighbours;  // networks of theirs that are in use
  std::size_t messages;  // publications sent and arrived, states on their way to files and buddies
  std::size_t programs;  // workspaces and buffers of training, fitness, sampling and scoring
  std::size_t samples;   // of scores and pictures, and the order of the training samples

  [[nodiscard]] std::size_t total() const {
    return cells + neighbours + messages + programs + samples;
  }
};

/// What the training steps of one cell need, beside the networks.
std::size_t training_bytes(const coev::Settings& settings, const nn::Engine& engine);

/// Of a worker that hosts these cells of a resolved experiment. Found from what the networks and
/// their programs are described by: nothing is allocated for it. `survives_losses`: workers keep
/// copies of each other's cells.
Memory memory_of(const config::Experiment& experiment, const nn::Engine& engine,
                 const data::Dataset& dataset, std::span<const CellId> hosted,
                 bool survives_losses);

}  // namespace lipizz::worker
