#include "coev/fitness_evaluator.hpp"

#include <algorithm>

#include "coev/generator_feed.hpp"
#include "core/random.hpp"
#include "nn/train/program_memory.hpp"

namespace lipizz::coev {
namespace {

double sum(float (*term)(float), std::span<const float> logits) {
  double total = 0;
  for (const float logit : logits) total += static_cast<double>(term(logit));
  return total;
}

// The same of the differences of the logits of pairs.
double sum(float (*term)(float), std::span<const float> logits, std::span<const float> others) {
  double total = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    total += static_cast<double>(term(logits[i] - others[i]));
  }
  return total;
}

// All rows of a chunk are computed, so that it is no larger than what is usually asked for; a
// rescue takes several.
std::uint32_t chunk_of(const Settings& settings) {
  const std::uint32_t n_samples = evaluates_members(settings.operators)
                                      ? settings.operators.fitness.n_samples
                                      : n_offspring_samples(settings);
  return std::min(rows_at_once(settings.model), n_samples);
}

void divide(std::vector<double>& sums, double n) {
  for (double& value : sums) value /= n;
}

}  // namespace

FitnessEvaluator::FitnessEvaluator(nn::Device& device, const Settings& settings,
                                   const data::Dataset& dataset)
    : device_(device),
      uploads_(device),
      seed_(settings.seed),
      loss_(nn::losses()[settings.operators.fitness.loss]),
      dataset_(dataset),
      model_(settings.model),
      chunk_(chunk_of(settings)),
      n_logits_(nn::n_outputs(settings.model.discriminator)),
      generator_(device, settings.model.generator, chunk_, 1),
      discriminator_(device, settings.model.discriminator, chunk_, 1),
      inputs_(device, std::size_t{chunk_} * settings.model.latent()),
      real_(device, std::size_t{chunk_} * settings.model.sample()),
      logits_(device, std::size_t{chunk_} * n_logits_) {}

void FitnessEvaluator::draw_batch(CellId cell, Generation generation, std::uint32_t n_samples) {
  const Random random(seed_, Purpose::kFitnessSample, cell, generation);
  batch_ = {cell, generation, n_samples, std::vector<std::uint32_t>(n_samples)};
  for (std::uint32_t i = 0; i < n_samples; ++i)
    batch_.indices[i] = random.below(dataset_.n_train(), i);
}

PairLosses FitnessEvaluator::all_pairs(Networks generators, Networks discriminators) {
  const Regions uploaded = upload(discriminators);
  PairLosses losses = all_pairs_on_fakes(upload(generators), uploaded);
  losses.real.assign(uploaded.size(), 0);
  // Those of the pairs are the whole of a relativistic loss.
  const std::uint32_t n_real = loss_.is_relativistic ? 0 : batch_.n_samples;
  for (std::uint32_t first = 0; first < n_real; first += chunk_) {
    read_real(first, rows_in(first));
    real_.push(real_.size());
    add_real(losses, uploaded, rows_in(first));
  }
  divide(losses.real, n_evaluated());
  uploads_.finish();
  return losses;
}

PairLosses FitnessEvaluator::all_pairs_on_fakes(Networks generators, Networks discriminators) {
  PairLosses losses = all_pairs_on_fakes(upload(generators), upload(discriminators));
  uploads_.finish();
  return losses;
}

PairLosses FitnessEvaluator::all_pairs_on_fakes(const Regions& generators,
                                                const Regions& discriminators) {
  const std::size_t n_pairs = generators.size() * discriminators.size();
  PairLosses losses{.n_generators = generators.size(),
                    .n_discriminators = discriminators.size(),
                    .generator = std::vector<double>(n_pairs),
                    .fake = std::vector<double>(n_pairs)};
  if (fakes_.region().size < generators.size() * real_.size()) {
    fakes_ = nn::DeviceMemory(device_, generators.size() * real_.size());
  }
  for (std::uint32_t first = 0; first < batch_.n_samples; first += chunk_) {
    LogitLists real;
    if (loss_.is_relativistic) real = real_logits(discriminators, first, rows_in(first));
    generate(generators, first, rows_in(first));
    add_fakes(losses, discriminators, real, first, rows_in(first));
  }
  divide(losses.generator, n_evaluated());
  divide(losses.fake, n_evaluated());
  return losses;
}

FitnessEvaluator::Regions FitnessEvaluator::upload(Networks networks) {
  Regions regions;
  for (const std::span<const float> network : networks) regions.push_back(uploads_.upload(network));
  return regions;
}

nn::Region FitnessEvaluator::fakes_of(std::size_t generator) const {
  return fakes_.region().part(generator * real_.size(), real_.size());
}

std::uint32_t FitnessEvaluator::rows_in(std::uint32_t first) const {
  return std::min(chunk_, batch_.n_samples - first);
}

void FitnessEvaluator::generate(const Regions& generators, std::uint32_t first,
                                std::uint32_t rows) {
  const auto inputs = inputs_.host().first(std::size_t{rows} * model_.latent());
  if (model_.n_condition_channels == 0) {
    Random(seed_, Purpose::kFitnessNoise, batch_.cell, batch_.generation)
        .normals(first, rows, model_.latent(), inputs);
  } else {
    read_real(first, rows);
    take_conditions(model_, real_.host(), inputs);
  }
  inputs_.push(inputs_.size());
  ask_for_classes(first, model_.n_classes(), generator_.labels());
  for (std::size_t g = 0; g < generators.size(); ++g) {
    generator_.bind(0, generators[g], inputs_.region(), fakes_of(g));
    generator_.run();
  }
}

void FitnessEvaluator::read_real(std::uint32_t first, std::uint32_t rows) {
  const std::size_t n_values = std::size_t{rows} * dataset_.shape().size();
  const auto indices = std::span(batch_.indices).subspan(first, rows);
  dataset_.read_train(indices, real_.host().first(n_values));
  const std::span<float> labels = discriminator_.labels();
  for (std::size_t i = 0; i < std::min<std::size_t>(rows, labels.size()); ++i) {
    labels[i] = dataset_.train_label(indices[i]);
  }
}

std::span<const float> FitnessEvaluator::logits_of(nn::Region discriminator, nn::Region samples,
                                                   std::uint32_t rows) {
  discriminator_.bind(0, discriminator, samples, logits_.region());
  discriminator_.run();
  logits_.pull(std::size_t{rows} * n_logits_);
  return logits_.host().first(std::size_t{rows} * n_logits_);
}

FitnessEvaluator::LogitLists FitnessEvaluator::real_logits(const Regions& discriminators,
                                                           std::uint32_t first,
                                                           std::uint32_t rows) {
  read_real(first, rows);
  real_.push(real_.size());
  LogitLists all;
  for (const nn::Region discriminator : discriminators) {
    const std::span<const float> logits = logits_of(discriminator, real_.region(), rows);
    all.emplace_back(logits.begin(), logits.end());
  }
  return all;
}

void FitnessEvaluator::add_fakes(PairLosses& losses, const Regions& discriminators,
                                 const LogitLists& real, std::uint32_t first, std::uint32_t rows) {
  ask_for_classes(first, model_.n_classes(), discriminator_.labels());
  for (std::size_t d = 0; d < losses.n_discriminators; ++d) {
    for (std::size_t g = 0; g < losses.n_generators; ++g) {
      const std::span<const float> logits = logits_of(discriminators[d], fakes_of(g), rows);
      double& of_generator = losses.generator[g * losses.n_discriminators + d];
      double& of_discriminator = losses.fake[g * losses.n_discriminators + d];
      if (loss_.is_relativistic) {
        of_generator += sum(loss_.generator.value, logits, real[d]);
        of_discriminator +=
            sum(loss_.fake.value, logits, real[d]) + sum(loss_.real.value, real[d], logits);
      } else {
        of_generator += sum(loss_.generator.value, logits);
        of_discriminator += sum(loss_.fake.value, logits);
      }
    }
  }
}

void FitnessEvaluator::add_real(PairLosses& losses, const Regions& discriminators,
                                std::uint32_t rows) {
  for (std::size_t d = 0; d < losses.n_discriminators; ++d) {
    losses.real[d] += sum(loss_.real.value, logits_of(discriminators[d], real_.region(), rows));
  }
}

nn::PlanBytes FitnessEvaluator::bytes(const Settings& settings, const nn::Engine& engine,
                                      std::size_t n_members) {
  const nn::GanSpec& model = settings.model;
  const std::uint32_t chunk = chunk_of(settings);
  // The input, a real sample, one of each generator, and logits.
  const std::size_t n_values =
      model.latent() + (1 + n_members) * model.sample() + nn::n_outputs(model.discriminator);
  return nn::inference_bytes(engine, model.generator, chunk) +
         nn::inference_bytes(engine, model.discriminator, chunk) +
         nn::PlanBytes{.kept = chunk * n_values * sizeof(float)};
}

}  // namespace lipizz::coev
