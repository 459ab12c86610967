#include "worker/saved_mixture_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coev/settings.hpp"
#include "core/error.hpp"

namespace lipizz::worker {
namespace {

// Generators fill their last call of a piece in part: of 8 times as many rows as a call has, little
// is computed in vain.
constexpr std::uint32_t kCallsOfPiece = 8;

double difference(float found, float expected) {
  if (std::isnan(found) && std::isnan(expected)) return 0;
  return std::abs(double{found} - expected) / std::max(1.0, std::abs(double{expected}));
}

}  // namespace

SavedMixtureSampler::SavedMixtureSampler(nn::Device& device, const SavedMixture& mixture,
                                         const data::Dataset* pairs)
    : mixture_(mixture),
      model_(mixture.about.model),
      feed_(model_, pairs),
      runner_(device, model_),
      piece_(kCallsOfPiece * coev::rows_at_once(model_)) {
  expect_examples();
}

void SavedMixtureSampler::draw(const Draw& draw, std::uint32_t n, const Sink& sink) {
  const Random choice(draw.seed, Purpose::kSampleChoice);
  std::vector<float> samples;
  std::vector<data::Label> labels;
  for (std::uint32_t first = 0; first < n; first += piece_) {
    const std::uint32_t n_rows = std::min(piece_, n - first);
    std::vector<Rows> rows(mixture_.parameters.size());
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      rows[generator_of(choice, first + row)].push_back(row);
    }
    samples.resize(std::size_t{n_rows} * model_.sample());
    for (std::size_t i = 0; i < rows.size(); ++i) make_rows(i, draw, rows[i], first, samples);
    labels.clear();
    for (std::uint32_t row = first; row < first + n_rows && model_.n_classes() > 0; ++row) {
      labels.push_back(
          static_cast<data::Label>(draw.only_class.value_or(row % model_.n_classes())));
    }
    sink(first, samples, labels);
  }
}

// Rows that a generator makes of a piece are in the same places of its calls however many samples
// the piece has, since those that come later do not move them.
void SavedMixtureSampler::make_rows(std::size_t generator, const Draw& draw, const Rows& rows,
                                    std::uint32_t first, std::span<float> out) {
  const Random noise(draw.seed, Purpose::kSampleNoise);
  const std::size_t latent = model_.latent();
  const std::size_t size = model_.sample();
  const auto fill = [&](std::uint32_t begin, std::uint32_t n, std::span<float> inputs,
                        std::span<float> labels) {
    for (std::uint32_t i = 0; i < n; ++i) {
      feed_.fill(noise, first + rows[begin + i], 1, inputs.subspan(i * latent, latent),
                 labels.subspan(labels.empty() ? 0 : i, labels.empty() ? 0 : 1));
    }
    if (draw.only_class) std::ranges::fill(labels, static_cast<float>(*draw.only_class));
  };
  std::size_t done = 0;
  runner_.run(mixture_.parameters[generator], static_cast<std::uint32_t>(rows.size()), fill,
              [&](std::span<const float> samples) {
                for (; !samples.empty(); samples = samples.subspan(size)) {
                  std::ranges::copy(samples.first(size), out.subspan(rows[done++] * size).begin());
                }
              });
}

std::size_t SavedMixtureSampler::generator_of(const Random& choice, std::uint32_t row) const {
  const auto& generators = mixture_.about.generators;
  double rest = choice.uniform(row);
  for (std::size_t i = 0; i < generators.size(); ++i) {
    if (rest < generators[i].weight) return i;
    rest -= generators[i].weight;
  }
  return mixture_.heaviest();  // the weights' rounding left a gap below 1
}

std::vector<float> SavedMixtureSampler::samples_of(std::size_t generator,
                                                   std::span<const float> inputs,
                                                   std::span<const float> labels) {
  const std::size_t latent = model_.latent();
  std::vector<float> made;
  runner_.run(
      mixture_.parameters[generator], static_cast<std::uint32_t>(inputs.size() / latent),
      [&](std::uint32_t first, std::uint32_t n, std::span<float> in, std::span<float> classes) {
        std::ranges::copy(inputs.subspan(first * latent, n * latent), in.begin());
        std::ranges::copy(labels.subspan(classes.empty() ? 0 : first, classes.size()),
                          classes.begin());
      },
      [&](std::span<const float> samples) {
        made.insert(made.end(), samples.begin(), samples.end());
      });
  return made;
}

std::vector<float> SavedMixtureSampler::first_latent(std::uint64_t seed) const {
  std::vector<float> latent(model_.latent());
  Random(seed, Purpose::kSampleNoise).normals(0, 1, model_.latent(), latent);
  return latent;
}

void SavedMixtureSampler::expect_examples() {
  const coev::MixtureExamples& examples = mixture_.examples;
  for (std::size_t i = 0; i < mixture_.parameters.size(); ++i) {
    const std::vector<float> found = samples_of(i, examples.inputs, examples.labels);
    double greatest = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double each = difference(found[k], examples.samples[i][k]);
      if (!(each <= greatest)) greatest = each;
    }
    if (greatest <= mixture_.about.tolerance) continue;
    throw CheckpointError(fmt::format(
        "{}: expected a generator that makes the samples in {} to {}, found a difference of "
        "{:.3g}; "
        "the files are damaged, or another version of lipizz built this network otherwise",
        (mixture_.folder / mixture_.about.generators[i].file).string(),
        mixture_.about.examples_file, mixture_.about.tolerance, greatest));
  }
}

}  // namespace lipizz::worker
