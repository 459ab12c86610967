#pragma once

#include <cstdint>
#include <span>

#include "core/random.hpp"
#include "data/dataset.hpp"
#include "nn/base/buffer.hpp"
#include "nn/network/models.hpp"

namespace lipizz::coev {

/// Rows of noise ask for the classes in turn: row r for class r mod n.
/// labels: of consecutive rows from `first`; empty where the pair knows of no classes.
void ask_for_classes(std::uint32_t first, std::uint32_t n_classes, std::span<float> labels);

/// Copies the conditions out of samples [n, sample] into inputs [n, latent].
void take_conditions(const nn::GanSpec& model, std::span<const float> samples,
                     std::span<float> inputs);

/// The inputs of generators for a row of noise when they are evaluated: standard normals (the noise
/// of Goodfellow et al. 2014, normal in Schmiedlechner et al. 2018), and a class where there are
/// any (Mirza and Osindero 2014); a model that translates images gets a test sample's condition
/// instead, row r that of sample r mod n. Departure: classes come in turn, and are not drawn, so
/// that scores differ by the networks alone.
class GeneratorFeed {
 public:
  /// dataset: of the pairs that the model translates; null will do for all other models. Both must
  /// outlive it.
  GeneratorFeed(const nn::GanSpec& model, const data::Dataset* dataset);

  /// inputs: [n_rows, latent] of consecutive rows from `first`; labels: [n_rows] or empty.
  void fill(const Random& noise, std::uint32_t first, std::uint32_t n_rows, std::span<float> inputs,
            std::span<float> labels);

 private:
  const nn::GanSpec& model_;
  const data::Dataset* dataset_;
  nn::Buffer<float> samples_;
};

}  // namespace lipizz::coev
