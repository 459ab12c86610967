#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "coev/mixture_sampler.hpp"
#include "core/ids.hpp"
#include "data/description.hpp"
#include "nn/base/shared_buffer.hpp"
#include "nn/network/models.hpp"

namespace lipizz::worker {

/// A mixture.json as write_mixture() leaves it (worker/mixture_folder.hpp; docs/formats.md has the
/// keys).
struct MixtureDescription {
  struct Generator {
    std::string file;  // beside it
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    double weight = 0;  // 0 or more; all sum to 1
  };

  nn::GanSpec model;  // of the files of weights: without spectral norm
  std::string dataset;
  data::SampleKind kind = data::SampleKind::kImage;
  data::SampleShape shape;  // of as many values as a sample of the model
  std::uint32_t row = 0;    // of the cell whose mixture it is
  std::uint32_t column = 0;
  Generation generation = 0;
  std::vector<Generator> generators;  // at least one
  std::string examples_file;
  std::uint32_t n_examples = 0;
  double tolerance = 0;  // to which other builds make the same examples
};

/// Believes no number. `place` stands in messages. CheckpointError when the text is something else.
MixtureDescription parse_mixture_description(std::string_view text, const std::string& place);

/// A mixture as it lies in a run's folder, ready to be sampled from.
struct SavedMixture {
  MixtureDescription about;
  std::vector<nn::SharedBuffer<float>> parameters;  // of each generator [n_padded]
  coev::MixtureExamples examples;                   // what each makes of the same inputs
  std::filesystem::path folder;                     // for messages

  /// The generator with the greatest weight, of several alike that of the first cell.
  [[nodiscard]] std::size_t heaviest() const;
};

/// Reads a folder that write_mixture() wrote, and writes nothing. CheckpointError naming the file
/// when one is missing or damaged, or they do not fit together.
SavedMixture read_mixture(const std::filesystem::path& folder);

}  // namespace lipizz::worker
