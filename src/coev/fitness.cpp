#include "coev/fitness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coev/generator_feed.hpp"
#include "core/check.hpp"
#include "core/random.hpp"

namespace lipizz::coev {
namespace {

double sum(float (*term)(float), std::span<const float> logits) {
  double total = 0;
  for (const float logit : logits) total += static_cast<double>(term(logit));
  return total;
}

void divide(std::vector<double>& sums, double n) {
  for (double& value : sums) value /= n;
}

}  // namespace

double aggregate(FitnessMode mode, std::span<const double> losses) {
  const auto is_finite = [](double loss) { return std::isfinite(loss); };
  if (losses.empty() || !std::ranges::all_of(losses, is_finite)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  switch (mode) {
    case FitnessMode::kWorst:
      return std::ranges::max(losses);
    case FitnessMode::kBest:
      return std::ranges::min(losses);
    case FitnessMode::kAverage:
      break;
  }
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

std::vector<double> generator_fitness(const PairLosses& table, FitnessMode mode) {
  std::vector<double> fitness;
  for (std::size_t g = 0; g < table.n_generators; ++g) {
    const std::span<const double> all(table.generator);
    fitness.push_back(
        aggregate(mode, all.subspan(g * table.n_discriminators, table.n_discriminators)));
  }
  return fitness;
}

std::vector<double> discriminator_fitness(const PairLosses& table, FitnessMode mode) {
  LIPIZZ_ASSERT(table.real.size() == table.n_discriminators);
  std::vector<double> fitness;
  std::vector<double> losses(table.n_generators);
  for (std::size_t d = 0; d < table.n_discriminators; ++d) {
    for (std::size_t g = 0; g < table.n_generators; ++g) {
      losses[g] = table.real[d] + table.fake[g * table.n_discriminators + d];
    }
    fitness.push_back(aggregate(mode, losses));
  }
  return fitness;
}

bool is_better(double a, double b) {
  return std::isfinite(a) && (!std::isfinite(b) || a < b);
}

FitnessEvaluator::FitnessEvaluator(nn::Device& device, const Settings& settings,
                                   const data::Dataset& dataset)
    : device_(device),
      uploads_(device),
      seed_(settings.seed),
      loss_(nn::losses()[settings.fitness.loss]),
      dataset_(dataset),
      model_(settings.model),
      chunk_(std::min(rows_at_once(settings.model), settings.fitness.n_samples)),
      n_logits_(nn::n_outputs(settings.model.discriminator)),
      generator_(device, settings.model.generator, chunk_, 1),
      discriminator_(device, settings.model.discriminator, chunk_, 1),
      inputs_(device, std::size_t{chunk_} * settings.model.latent()),
      real_(device, std::size_t{chunk_} * settings.model.sample()),
      logits_(device, std::size_t{chunk_} * n_logits_) {}

void FitnessEvaluator::draw_batch(CellId cell, Generation generation, std::uint32_t n_samples) {
  cell_ = cell;
  generation_ = generation;
  n_samples_ = n_samples;
  const Random random(seed_, Purpose::kFitnessSample, cell, generation);
  indices_.resize(n_samples);
  for (std::uint32_t i = 0; i < n_samples; ++i) indices_[i] = random.below(dataset_.n_train(), i);
}

PairLosses FitnessEvaluator::all_pairs(Networks generators, Networks discriminators) {
  const Regions judges = upload(discriminators);
  PairLosses table = all_pairs_on_fakes(upload(generators), judges);
  table.real.assign(judges.size(), 0);
  for (std::uint32_t first = 0; first < n_samples_; first += chunk_) {
    read_real(first, rows_in(first));
    real_.push(real_.size());
    add_real(table, judges, rows_in(first));
  }
  divide(table.real, n_judged());
  uploads_.end();
  return table;
}

PairLosses FitnessEvaluator::all_pairs_on_fakes(Networks generators, Networks discriminators) {
  PairLosses table = all_pairs_on_fakes(upload(generators), upload(discriminators));
  uploads_.end();
  return table;
}

PairLosses FitnessEvaluator::all_pairs_on_fakes(const Regions& generators,
                                                const Regions& discriminators) {
  const std::size_t n_pairs = generators.size() * discriminators.size();
  PairLosses table{generators.size(),
                   discriminators.size(),
                   std::vector<double>(n_pairs),
                   std::vector<double>(n_pairs),
                   {}};
  if (fakes_.region().size < generators.size() * real_.size()) {
    fakes_ = nn::DeviceMemory(device_, generators.size() * real_.size());
  }
  for (std::uint32_t first = 0; first < n_samples_; first += chunk_) {
    generate(generators, first, rows_in(first));
    add_fakes(table, discriminators, first, rows_in(first));
  }
  divide(table.generator, n_judged());
  divide(table.fake, n_judged());
  return table;
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
  return std::min(chunk_, n_samples_ - first);
}

void FitnessEvaluator::generate(const Regions& generators, std::uint32_t first,
                                std::uint32_t rows) {
  const auto inputs = inputs_.host().first(std::size_t{rows} * model_.latent());
  if (model_.n_condition_channels == 0) {
    Random(seed_, Purpose::kFitnessNoise, cell_, generation_)
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
  const auto indices = std::span(indices_).subspan(first, rows);
  dataset_.read_train(indices, real_.host().first(n_values));
  const std::span<float> labels = discriminator_.labels();
  for (std::size_t i = 0; i < std::min<std::size_t>(rows, labels.size()); ++i) {
    labels[i] = dataset_.train_label(indices[i]);
  }
}

std::span<const float> FitnessEvaluator::judge(nn::Region discriminator, nn::Region samples,
                                               std::uint32_t rows) {
  discriminator_.bind(0, discriminator, samples, logits_.region());
  discriminator_.run();
  logits_.pull(std::size_t{rows} * n_logits_);
  return logits_.host().first(std::size_t{rows} * n_logits_);
}

void FitnessEvaluator::add_fakes(PairLosses& table, const Regions& discriminators,
                                 std::uint32_t first, std::uint32_t rows) {
  ask_for_classes(first, model_.n_classes(), discriminator_.labels());
  for (std::size_t d = 0; d < table.n_discriminators; ++d) {
    for (std::size_t g = 0; g < table.n_generators; ++g) {
      const std::span<const float> logits = judge(discriminators[d], fakes_of(g), rows);
      table.generator[g * table.n_discriminators + d] += sum(loss_.generator.value, logits);
      table.fake[g * table.n_discriminators + d] += sum(loss_.fake.value, logits);
    }
  }
}

void FitnessEvaluator::add_real(PairLosses& table, const Regions& discriminators,
                                std::uint32_t rows) {
  for (std::size_t d = 0; d < table.n_discriminators; ++d) {
    table.real[d] += sum(loss_.real.value, judge(discriminators[d], real_.region(), rows));
  }
}

}  // namespace lipizz::coev
