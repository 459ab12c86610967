#include "coev/trainer.hpp"

#include <algorithm>

#include "coev/interrupted.hpp"
#include "coev/offspring_seed.hpp"
#include "core/check.hpp"
#include "nn/train/program_memory.hpp"

namespace lipizz::coev {

Trainer::RandomStreams::RandomStreams(std::uint64_t seed, CellId cell, Generation generation)
    : of{.generator = {.noise = {seed, Purpose::kGeneratorNoise, cell, generation},
                       .opponent = {seed, Purpose::kGeneratorOpponent, cell, generation},
                       .rate = {seed, Purpose::kGeneratorRate, cell, generation},
                       .uniforms = {seed, Purpose::kGeneratorUniforms, cell, generation}},
         .discriminator = {.noise = {seed, Purpose::kDiscriminatorNoise, cell, generation},
                           .opponent = {seed, Purpose::kDiscriminatorOpponent, cell, generation},
                           .rate = {seed, Purpose::kDiscriminatorRate, cell, generation},
                           .uniforms = {seed, Purpose::kDiscriminatorUniforms, cell, generation}}},
      loss(seed, Purpose::kLossMutation, cell, generation) {}

namespace {

// The rows of a batch that this rank reads in the steps of either network.
std::vector<nn::Rows> rows_of(const Settings& settings, nn::Collectives* replicas) {
  std::vector<bool> is_read(settings.batch_size, false);
  for (const NetworkRole role : kNetworkRoles) {
    const std::uint32_t n = network_settings(settings, role).n_micro_batches;
    for (const nn::Rows rows : nn::micro_batches(settings.batch_size, n, replicas).own) {
      std::fill_n(is_read.begin() + rows.first, rows.n, true);
    }
  }
  std::vector<nn::Rows> all;
  for (std::uint32_t row = 0; row < settings.batch_size; ++row) {
    if (!is_read[row]) continue;
    if (row == 0 || !is_read[row - 1]) all.push_back({row, 0});
    ++all.back().n;
  }
  return all;
}

}  // namespace

Trainer::Trainer(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                 std::uint32_t n_models)
    : settings_(settings),
      dataset_(dataset),
      samples_(dataset),
      n_models_(n_models),
      own_rows_(rows_of(settings, device.replicas())),
      uploads_(device),
      generator_step_(device, settings.model, settings.generator.optimizer, samples_,
                      settings.batch_size, n_models,
                      step_options(settings, NetworkRole::kGenerator)),
      discriminator_step_(device, settings.model, settings.discriminator.optimizer, samples_,
                          settings.batch_size, n_models,
                          step_options(settings, NetworkRole::kDiscriminator)),
      orders_(settings.seed, dataset.n_train(), settings.data_share) {}

void Trainer::train(std::span<const TrainingJob> jobs, Generation generation,
                    const std::function<bool()>& keep_going, RoutineTimes& spent) {
  LIPIZZ_ASSERT(jobs.size() == n_models_);
  timed(spent, Routine::kTrain, [&] { prepare(jobs, generation); });
  for (std::uint32_t batch = 0; batch < n_batches(); ++batch) {
    if (!keep_going()) {
      uploads_.finish();
      throw Interrupted{};
    }
    if (batch == 0 || place_in_pass(batch) == 0) {
      timed(spent, Routine::kTrain,
            [&] { begin_pass(jobs, (first_batch_ + batch) / batches_of_pass() + 1); });
      expect(batch);
    }
    if (batch + 1 < n_batches() && place_in_pass(batch + 1) != 0) expect(batch + 1);
    for (const NetworkRole role : kNetworkRoles) {
      if ((first_batch_ + batch) % network(role).train_every != 0) continue;
      timed(spent, Routine::kMutate, [&] { mutate(role, jobs, batch); });
      timed(spent, Routine::kTrain, [&] { train(role, jobs, batch); });
    }
  }
  timed(spent, Routine::kTrain, [&] { finish(jobs); });
}

nn::GanStep& Trainer::program(NetworkRole role) {
  if (role == NetworkRole::kGenerator) return generator_step_;
  return discriminator_step_;
}

void Trainer::finish(std::span<const TrainingJob> jobs) {
  uploads_.finish();
  for (const NetworkRole role : kNetworkRoles) {
    for (std::uint32_t m = 0; m < n_models_; ++m) {
      Genome& offspring = genome(*jobs[m].offspring, role);
      const nn::GradientHistory history = program(role).history(m);
      left_out_[m][role].n = history.n_skipped;
      offspring.step -= history.n_skipped;
      if (!offspring.loss_scale.empty()) {
        offspring.loss_scale = {history.loss_scale, static_cast<float>(history.n_good)};
      }
    }
  }
}

std::uint32_t Trainer::batches_of_pass() const {
  return orders_.n_samples() / settings_.batch_size;
}

std::uint32_t Trainer::n_batches() const {
  const std::uint32_t n = settings_.batches_per_generation;
  return n > 0 ? n : batches_of_pass();
}

std::uint32_t Trainer::place_in_pass(std::uint32_t batch) const {
  return static_cast<std::uint32_t>((first_batch_ + batch) % batches_of_pass());
}

void Trainer::prepare(std::span<const TrainingJob> jobs, Generation generation) {
  generation_ = generation;
  first_batch_ = (std::uint64_t{generation} - 1) * n_batches();
  streams_.clear();
  networks_.clear();
  left_out_.assign(n_models_, {});
  for (const TrainingJob& job : jobs) {
    streams_.emplace_back(seed_of_offspring(settings_.seed, job.number), job.cell, generation);
    upload(job);
  }
}

void Trainer::upload(const TrainingJob& job) {
  UploadedNetworks& networks = networks_.emplace_back();
  for (const NetworkRole role : kNetworkRoles) {
    Genome& offspring = genome(*job.offspring, role);
    networks.offspring[role] =
        coev::upload(uploads_, offspring, network(role).optimizer.moments_on_host);
    nn::GradientHistory seen;
    if (!offspring.loss_scale.empty()) {
      seen = {offspring.loss_scale[0], static_cast<std::uint32_t>(offspring.loss_scale[1])};
    }
    program(role).begin(static_cast<std::uint32_t>(networks_.size() - 1), seen);
    std::vector<nn::Region>& opponents = networks.opponents[role];
    opponents.push_back(networks.offspring[role].parameters);
    for (const auto& member : job.opponents->networks(role).subspan(1)) {
      opponents.push_back(uploads_.upload(member));
    }
    if (job.history == nullptr) continue;
    const std::vector<nn::SharedBuffer<float>>& past = (*job.history)[role];
    for (const std::span<const float> network : past) opponents.push_back(uploads_.upload(network));
    networks.n_past[role] = static_cast<std::uint32_t>(past.size());
  }
}

// Passes are counted from 1, as the generations are that they make where each is a whole one.
void Trainer::begin_pass(std::span<const TrainingJob> jobs, std::uint64_t pass) {
  order_.clear();
  for (const TrainingJob& job : jobs) {
    order_.push_back(orders_.of(job.cell, static_cast<std::uint32_t>(pass)));
  }
}

const NetworkSettings& Trainer::network(NetworkRole role) const {
  return network_settings(settings_, role);
}

void Trainer::mutate(NetworkRole role, std::span<const TrainingJob> jobs, std::uint32_t batch) {
  const auto& [rate_mutation, rate_period] = settings_.operators.rate_mutation;
  const auto& [loss_mutation, losses, loss_period] = settings_.operators.loss_mutation;
  for (std::uint32_t m = 0; m < n_models_; ++m) {
    Genome& offspring = genome(*jobs[m].offspring, role);
    if (rate_period == Period::kBatch) {
      const RateMutationInput input{offspring.learning_rate, network(role).learning_rate,
                                    streams_[m].of[role].rate, batch,
                                    offspring.origin != jobs[m].cell};
      offspring.learning_rate = rate_mutation->mutate(input, rate_mutation.values());
    }
    if (loss_period == Period::kBatch && role == NetworkRole::kGenerator) {
      const LossMutationInput input{offspring.loss, losses, streams_[m].loss, batch,
                                    jobs[m].number};
      offspring.loss = loss_mutation->mutate(input, loss_mutation.values());
    }
  }
}

// The network that a step is made against.
nn::Region Trainer::opponent(NetworkRole trained, std::uint32_t m, std::uint32_t step) const {
  const NetworkRole role = opposite(trained);
  const std::vector<nn::Region>& all = networks_[m].opponents[role];
  const std::uint32_t n_past = networks_[m].n_past[role];
  const auto n_members = static_cast<std::uint32_t>(all.size()) - n_past;
  const Configured<Opponents>& opponents = network(trained).opponents;
  const OpponentsInput input{n_members, streams_[m].of[trained].opponent, step, generation_,
                             n_past};
  return all[opponents->draw(input, opponents.values())];
}

SchedulePoint Trainer::schedule_point(NetworkRole role, std::uint32_t batch) const {
  const Configured<TrainingSchedule>& schedule = network(role).schedule;
  const double generation = static_cast<double>(first_batch_ + batch) / n_batches();
  return schedule->at(generation, schedule.values());
}

void Trainer::train(NetworkRole role, std::span<const TrainingJob> jobs, std::uint32_t batch) {
  nn::GanStep& program = this->program(role);
  const std::uint32_t n_steps = network(role).steps_per_batch;
  const SchedulePoint now = schedule_point(role, batch);
  for (std::uint32_t step = batch * n_steps; step < (batch + 1) * n_steps; ++step) {
    for (std::uint32_t m = 0; m < n_models_; ++m) {
      Genome& trained_now = genome(*jobs[m].offspring, role);
      const RandomStreams::OfNetwork& streams = streams_[m].of[role];
      program.bind(m, trained(trained_now, networks_[m].offspring[role], now),
                   opponent(role, m, step));
      program.feed(m, {streams.noise, step * settings_.batch_size, streams.uniforms, step,
                       indices(m, batch)});
      ++trained_now.step;
      ++left_out_[m][role].n_tried;
    }
    program.run();
  }
}

void Trainer::expect(std::uint32_t batch) const {
  std::vector<std::uint32_t> samples;
  for (std::uint32_t m = 0; m < n_models_; ++m) {
    for (const nn::Rows rows : own_rows_) {
      const auto of_part = indices(m, batch).subspan(rows.first, rows.n);
      samples.insert(samples.end(), of_part.begin(), of_part.end());
    }
  }
  dataset_.expect_train(samples);
}

std::span<const std::uint32_t> Trainer::indices(std::uint32_t m, std::uint32_t batch) const {
  const std::size_t first = std::size_t{place_in_pass(batch)} * settings_.batch_size;
  return order_[m].subspan(first, settings_.batch_size);
}

nn::PlanBytes Trainer::bytes(const Settings& settings, const nn::Engine& engine) {
  return nn::generator_step_bytes(engine, settings.model, settings.generator.optimizer,
                                  settings.batch_size,
                                  step_options(settings, NetworkRole::kGenerator)) +
         nn::discriminator_step_bytes(engine, settings.model, settings.discriminator.optimizer,
                                      settings.batch_size,
                                      step_options(settings, NetworkRole::kDiscriminator));
}

}  // namespace lipizz::coev
