#include "coev/training.hpp"

#include <algorithm>

#include "coev/generator_feed.hpp"
#include "coev/island.hpp"
#include "coev/mutation.hpp"
#include "core/check.hpp"

namespace lipizz::coev {

Trainer::Streams::Streams(std::uint64_t seed, CellId cell, Generation generation)
    : generator_noise(seed, Purpose::kGeneratorNoise, cell, generation),
      generator_opponent(seed, Purpose::kGeneratorOpponent, cell, generation),
      generator_rate(seed, Purpose::kGeneratorRate, cell, generation),
      discriminator_noise(seed, Purpose::kDiscriminatorNoise, cell, generation),
      discriminator_opponent(seed, Purpose::kDiscriminatorOpponent, cell, generation),
      discriminator_rate(seed, Purpose::kDiscriminatorRate, cell, generation),
      loss(seed, Purpose::kLossMutation, cell, generation),
      generator_uniforms(seed, Purpose::kGeneratorUniforms, cell, generation),
      discriminator_uniforms(seed, Purpose::kDiscriminatorUniforms, cell, generation) {}

Trainer::Trainer(const nn::Engine& engine, const Settings& settings, const data::Dataset& dataset,
                 std::uint32_t n_models)
    : settings_(settings),
      dataset_(dataset),
      n_models_(n_models),
      generator_step_(engine, settings.model, settings.generator.optimizer, settings.batch_size,
                      n_models, settings.steps),
      discriminator_step_(engine, settings.model, settings.discriminator.optimizer,
                          settings.batch_size, n_models, settings.steps) {}

void Trainer::train(std::span<const Trainee> trainees, Generation generation,
                    const std::function<bool()>& keep_going, Profile& spent) {
  LIPIZZ_ASSERT(trainees.size() == n_models_);
  timed(spent, Routine::kTrain, [&] { prepare(trainees, generation); });
  for (std::uint32_t batch = 0; batch < n_batches(); ++batch) {
    if (!keep_going()) throw Interrupted{};
    if (batch == 0 || place_in_pass(batch) == 0) {
      timed(spent, Routine::kTrain,
            [&] { shuffle(trainees, (first_batch_ + batch) / batches_of_pass() + 1); });
    }
    if (batch % settings_.generator.train_every == 0) {
      timed(spent, Routine::kMutate, [&] { mutate_generators(trainees, batch); });
      timed(spent, Routine::kTrain, [&] { train_generators(trainees, batch); });
    }
    if (batch % settings_.discriminator.train_every == 0) {
      timed(spent, Routine::kMutate, [&] { mutate_discriminators(trainees, batch); });
      timed(spent, Routine::kTrain, [&] { train_discriminators(trainees, batch); });
    }
  }
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
  for (const Trainee& trainee : trainees) {
    streams_.emplace_back(settings_.seed, trainee.cell, generation);
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

void Trainer::mutate_generators(std::span<const Trainee> trainees, std::uint32_t batch) {
  for (std::uint32_t m = 0; m < n_models_; ++m) {
    Genome& genome = trainees[m].offspring->generator;
    if (settings_.rate_mutation.per == Period::kBatch) {
      genome.learning_rate =
          mutate_rate(settings_.rate_mutation, genome.learning_rate,
                      settings_.generator.learning_rate, streams_[m].generator_rate, batch);
    }
    const LossMutation& mutation = settings_.loss_mutation;
    if (mutation.per == Period::kBatch && !mutation.losses.empty()) {
      genome.loss = draw_loss(mutation.losses, streams_[m].loss, batch);
    }
  }
}

void Trainer::mutate_discriminators(std::span<const Trainee> trainees, std::uint32_t batch) {
  if (settings_.rate_mutation.per != Period::kBatch) return;
  for (std::uint32_t m = 0; m < n_models_; ++m) {
    Genome& genome = trainees[m].offspring->discriminator;
    genome.learning_rate =
        mutate_rate(settings_.rate_mutation, genome.learning_rate,
                    settings_.discriminator.learning_rate, streams_[m].discriminator_rate, batch);
  }
}

// The network that a step is made against; member 0 is the offspring's own partner.
std::span<const float> Trainer::opponent(const Genome& partner, Networks members,
                                         const Random& random, std::uint32_t step) const {
  const auto n = static_cast<std::uint32_t>(members.size());
  const auto share = static_cast<float>(settings_.partner_share);
  std::uint32_t drawn = 0;
  if (share == 0) {
    drawn = random.below(n, step);
  } else if (n > 1 && random.uniform(step, 1) >= share) {
    drawn = 1 + random.below(n - 1, step);
  }
  return drawn == 0 ? partner.parameters : members[drawn];
}

void Trainer::train_generators(std::span<const Trainee> trainees, std::uint32_t batch) {
  const std::uint32_t n_steps = settings_.generator.steps_per_batch;
  for (std::uint32_t step = batch * n_steps; step < (batch + 1) * n_steps; ++step) {
    for (std::uint32_t m = 0; m < n_models_; ++m) {
      Pair& pair = *trainees[m].offspring;
      generator_step_.bind(m, trained(pair.generator),
                           opponent(pair.discriminator, trainees[m].opponents->discriminators(),
                                    streams_[m].generator_opponent, step));
      feed_generator(m, batch, step);
      ++pair.generator.step;
    }
    generator_step_.run();
  }
}

void Trainer::train_discriminators(std::span<const Trainee> trainees, std::uint32_t batch) {
  const std::uint32_t n_steps = settings_.discriminator.steps_per_batch;
  for (std::uint32_t step = batch * n_steps; step < (batch + 1) * n_steps; ++step) {
    for (std::uint32_t m = 0; m < n_models_; ++m) {
      Pair& pair = *trainees[m].offspring;
      discriminator_step_.bind(m, trained(pair.discriminator),
                               opponent(pair.generator, trainees[m].opponents->generators(),
                                        streams_[m].discriminator_opponent, step));
      feed_discriminator(m, batch, step);
      ++pair.discriminator.step;
    }
    discriminator_step_.run();
  }
}

void Trainer::feed_generator(std::uint32_t m, std::uint32_t batch, std::uint32_t step) {
  const nn::GanSpec& model = settings_.model;
  if (model.n_condition_channels > 0) {
    pairs_.resize(std::size_t{settings_.batch_size} * model.sample());
    dataset_.read_train(indices(m, batch), pairs_);
    const std::span<float> real = generator_step_.real(m);
    std::copy_n(pairs_.begin(), real.size(), real.begin());
  }
  feed_inputs(generator_step_.inputs(m), pairs_, streams_[m].generator_noise, step);
  generator_step_.draw(m, streams_[m].generator_uniforms, step);
  ask_for_classes(step * settings_.batch_size, model.n_classes(), generator_step_.labels(m));
}

void Trainer::feed_discriminator(std::uint32_t m, std::uint32_t batch, std::uint32_t step) {
  const std::span<float> real = discriminator_step_.real(m);
  dataset_.read_train(indices(m, batch), real);
  feed_inputs(discriminator_step_.inputs(m), real, streams_[m].discriminator_noise, step);
  discriminator_step_.draw(m, streams_[m].discriminator_uniforms, step);
  const std::uint32_t n_classes = settings_.model.n_classes();
  if (n_classes == 0) return;
  const std::span<float> labels = discriminator_step_.labels(m);
  for (std::uint32_t i = 0; i < settings_.batch_size; ++i) {
    labels[i] = dataset_.train_label(indices(m, batch)[i]);
  }
  ask_for_classes(step * settings_.batch_size, n_classes, labels.subspan(settings_.batch_size));
}

void Trainer::feed_inputs(std::span<float> inputs, std::span<const float> pairs,
                          const Random& noise, std::uint32_t step) const {
  const nn::GanSpec& model = settings_.model;
  if (model.n_condition_channels > 0) {
    take_conditions(model, pairs, inputs);
  } else {
    noise.normals(step * settings_.batch_size, settings_.batch_size, model.latent(), inputs);
  }
}

std::span<const std::uint32_t> Trainer::indices(std::uint32_t m, std::uint32_t batch) const {
  const std::size_t first = std::size_t{place_in_pass(batch)} * settings_.batch_size;
  return std::span(order_[m]).subspan(first, settings_.batch_size);
}

}  // namespace lipizz::coev
