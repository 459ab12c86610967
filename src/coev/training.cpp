#include "coev/training.hpp"

#include <algorithm>

#include "coev/interrupted.hpp"
#include "coev/mutation.hpp"
#include "core/check.hpp"

namespace lipizz::coev {

Trainer::Streams::Streams(std::uint64_t seed, CellId cell, Generation generation)
    : of{.generator = {.noise = {seed, Purpose::kGeneratorNoise, cell, generation},
                       .opponent = {seed, Purpose::kGeneratorOpponent, cell, generation},
                       .rate = {seed, Purpose::kGeneratorRate, cell, generation},
                       .uniforms = {seed, Purpose::kGeneratorUniforms, cell, generation}},
         .discriminator = {.noise = {seed, Purpose::kDiscriminatorNoise, cell, generation},
                           .opponent = {seed, Purpose::kDiscriminatorOpponent, cell, generation},
                           .rate = {seed, Purpose::kDiscriminatorRate, cell, generation},
                           .uniforms = {seed, Purpose::kDiscriminatorUniforms, cell, generation}}},
      loss(seed, Purpose::kLossMutation, cell, generation) {}

Trainer::Trainer(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                 std::uint32_t n_models)
    : settings_(settings),
      dataset_(dataset),
      samples_(dataset),
      n_models_(n_models),
      loans_(device),
      generator_step_(device, settings.model, settings.generator.optimizer, samples_,
                      settings.batch_size, n_models, settings.steps),
      discriminator_step_(device, settings.model, settings.discriminator.optimizer, samples_,
                          settings.batch_size, n_models, settings.steps) {}

void Trainer::train(std::span<const Trainee> trainees, Generation generation,
                    const std::function<bool()>& keep_going, Profile& spent) {
  LIPIZZ_ASSERT(trainees.size() == n_models_);
  timed(spent, Routine::kTrain, [&] { prepare(trainees, generation); });
  for (std::uint32_t batch = 0; batch < n_batches(); ++batch) {
    if (!keep_going()) {
      loans_.end();
      throw Interrupted{};
    }
    if (batch == 0 || place_in_pass(batch) == 0) {
      timed(spent, Routine::kTrain,
            [&] { shuffle(trainees, (first_batch_ + batch) / batches_of_pass() + 1); });
    }
    for (const Species species : kSpecies) {
      if (batch % training(species).train_every != 0) continue;
      timed(spent, Routine::kMutate, [&] { mutate(species, trainees, batch); });
      timed(spent, Routine::kTrain, [&] { train(species, trainees, batch); });
    }
  }
  timed(spent, Routine::kTrain, [&] { loans_.end(); });
}

std::uint32_t Trainer::batches_of_pass() const {
  return dataset_.n_train() / settings_.batch_size;
}

std::uint32_t Trainer::n_batches() const {
  const std::uint32_t n = settings_.batches_per_generation;
  return n > 0 ? n : batches_of_pass();
}

std::uint32_t Trainer::place_in_pass(std::uint32_t batch) const {
  return static_cast<std::uint32_t>((first_batch_ + batch) % batches_of_pass());
}

void Trainer::prepare(std::span<const Trainee> trainees, Generation generation) {
  first_batch_ = (std::uint64_t{generation} - 1) * n_batches();
  streams_.clear();
  players_.clear();
  for (const Trainee& trainee : trainees) {
    streams_.emplace_back(settings_.seed, trainee.cell, generation);
    Players& players = players_.emplace_back();
    for (const Species species : kSpecies) {
      players.offspring[species] = lend(loans_, genome(*trainee.offspring, species));
      players.candidates[species].push_back(players.offspring[species].parameters);
    }
    for (const auto& generator : trainee.opponents->generators().subspan(1)) {
      players.candidates.generator.push_back(loans_.lend(generator));
    }
    for (const auto& discriminator : trainee.opponents->discriminators().subspan(1)) {
      players.candidates.discriminator.push_back(loans_.lend(discriminator));
    }
  }
}

// Passes are counted from 1, as the generations are that they make where each is a whole one.
void Trainer::shuffle(std::span<const Trainee> trainees, std::uint64_t pass) {
  order_.clear();
  for (const Trainee& trainee : trainees) {
    order_.push_back(
        Random(settings_.seed, Purpose::kShuffle, trainee.cell, static_cast<Generation>(pass))
            .permutation(dataset_.n_train()));
  }
}

const Training& Trainer::training(Species species) const {
  return species == Species::kGenerator ? settings_.generator : settings_.discriminator;
}

void Trainer::mutate(Species species, std::span<const Trainee> trainees, std::uint32_t batch) {
  const LossMutation& mutation = settings_.loss_mutation;
  const bool changes_loss =
      species == Species::kGenerator && mutation.per == Period::kBatch && !mutation.losses.empty();
  for (std::uint32_t m = 0; m < n_models_; ++m) {
    Genome& mutated = genome(*trainees[m].offspring, species);
    if (settings_.rate_mutation.per == Period::kBatch) {
      mutated.learning_rate =
          mutate_rate(settings_.rate_mutation, mutated.learning_rate,
                      training(species).learning_rate, streams_[m].of[species].rate, batch);
    }
    if (changes_loss) mutated.loss = draw_loss(mutation.losses, streams_[m].loss, batch);
  }
}

// The network that a step is made against; member 0 is the offspring's own partner.
nn::Region Trainer::opponent(std::span<const nn::Region> members, const Random& random,
                             std::uint32_t step) const {
  const auto n = static_cast<std::uint32_t>(members.size());
  const auto share = static_cast<float>(settings_.partner_share);
  if (share == 0) return members[random.below(n, step)];
  const bool is_other = n > 1 && random.uniform(step, 1) >= share;
  return members[is_other ? 1 + random.below(n - 1, step) : 0];
}

void Trainer::train(Species species, std::span<const Trainee> trainees, std::uint32_t batch) {
  const bool is_generator = species == Species::kGenerator;
  nn::GanStep& program = is_generator ? static_cast<nn::GanStep&>(generator_step_)
                                      : static_cast<nn::GanStep&>(discriminator_step_);
  const Species other = is_generator ? Species::kDiscriminator : Species::kGenerator;
  const std::uint32_t n_steps = training(species).steps_per_batch;
  for (std::uint32_t step = batch * n_steps; step < (batch + 1) * n_steps; ++step) {
    for (std::uint32_t m = 0; m < n_models_; ++m) {
      Genome& trained_now = genome(*trainees[m].offspring, species);
      const Streams::OfNetwork& streams = streams_[m].of[species];
      program.bind(m, trained(trained_now, players_[m].offspring[species]),
                   opponent(players_[m].candidates[other], streams.opponent, step));
      program.feed(m, {streams.noise, step * settings_.batch_size, streams.uniforms, step,
                       indices(m, batch)});
      ++trained_now.step;
    }
    program.run();
  }
}

std::span<const std::uint32_t> Trainer::indices(std::uint32_t m, std::uint32_t batch) const {
  const std::size_t first = std::size_t{place_in_pass(batch)} * settings_.batch_size;
  return std::span(order_[m]).subspan(first, settings_.batch_size);
}

}  // namespace lipizz::coev
