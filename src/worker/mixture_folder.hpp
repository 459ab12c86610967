#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "coev/island.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "nn/network/models.hpp"

namespace lipizz::worker {

/// A mixture with all that others need to make the same samples of it.
struct MixtureToWrite {
  const config::Experiment& experiment;  // its model and compute resolved
  const nn::GanSpec& model;
  data::SampleKind kind;
  data::SampleShape shape;
  std::span<const coev::Island::MixtureMember> members;
  const coev::MixtureExamples& examples;  // of these members
  CellId cell;                            // whose mixture it is
  Generation generation;                  // at whose end
  std::optional<double> score;            // as it was taken then; none: see the run's result.json
};

/// Writes the files of a mixture into a folder that exists: each generator as cell-N.safetensors,
/// mixture.json, which describes them, examples.safetensors, and read_mixture.py, which needs no
/// more than numpy to read it all (docs/formats.md has the keys). CheckpointError.
void write_mixture(const std::filesystem::path& folder, const MixtureToWrite& mixture);

}  // namespace lipizz::worker
