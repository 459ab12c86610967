#include "coev/shared_training.hpp"

#include <string>
#include <utility>

#include "coev/routine_times.hpp"
#include "core/error.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::coev {
namespace {

constexpr const char* kWhat = "what the ranks of a cell train";

using Networks = std::vector<std::span<const float>>;

void write(ByteWriter& out, const Networks& networks) {
  out.value(static_cast<std::uint32_t>(networks.size()));
  for (const auto& network : networks) out.values(network);
}

// In a sub-population, the offspring stands in the place of the first.
Networks opponents_of(const TrainingJob& job, NetworkRole role) {
  const auto others = job.opponents->networks(role).subspan(1);
  return {others.begin(), others.end()};
}

Networks past_of(const TrainingJob& job, NetworkRole role) {
  if (job.history == nullptr) return {};
  const auto& networks = (*job.history)[role];
  return {networks.begin(), networks.end()};
}

const nn::OptimizerEntry& optimizer_of(const Settings& settings, NetworkRole role) {
  return nn::entry(network_settings(settings, role).optimizer.kind);
}

// Moments in shards follow a message; whole ones are part of it.
Moments moments_of(const Settings& settings, NetworkRole role) {
  return optimizer_of(settings, role).is_layerwise ? Moments::kTravel : Moments::kStay;
}

// Elements that a rank keeps of the moments of a network in training.
std::size_t n_in_moments(const Settings& settings, NetworkRole role, const nn::Collectives& ranks) {
  const nn::NetworkSpec& network = network_spec(settings.model, role);
  const nn::OptimizerSpec& optimizer = network_settings(settings, role).optimizer;
  return optimizer_of(settings, role).n_moments * nn::own_shard(network, optimizer, &ranks).n;
}

std::size_t written_bytes(std::span<const TrainingJob> jobs, const Settings& settings) {
  constexpr std::size_t kHeads = 256;
  std::size_t n = kHeads;
  for (const TrainingJob& job : jobs) {
    n += kHeads;
    for (const NetworkRole role : kNetworkRoles) {
      const Genome& own = genome(*job.offspring, role);
      const std::size_t n_networks = opponents_of(job, role).size() + past_of(job, role).size();
      n += coev::written_bytes(own, moments_of(settings, role)) + sizeof(own.step) +
           n_networks * (sizeof(std::uint64_t) + own.parameters.size() * sizeof(float));
    }
  }
  return n;
}

// Grows with what is there: a count that lies runs into the end of the bytes.
std::vector<nn::Buffer<float>> read_networks(ByteReader& in, std::size_t n_parameters) {
  std::vector<nn::Buffer<float>> networks;
  const auto n = in.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (in.remaining() < n_parameters * sizeof(float)) {
      throw CommError(std::string(kWhat) + ": networks are missing");
    }
    in.values_into(std::span<float>(networks.emplace_back(n_parameters)));
  }
  return networks;
}

// Visits each moment in shards of each offspring: all of its elements at the first rank, elsewhere
// those of this rank's shard; and how many there are in all.
template <class Visit>
void for_moments(const nn::Collectives& ranks, const Settings& settings,
                 std::span<const TrainingJob> jobs, const Visit& visit) {
  for (const TrainingJob& job : jobs) {
    for (const NetworkRole role : kNetworkRoles) {
      if (moments_of(settings, role) == Moments::kTravel) continue;
      const std::span<float> moments(genome(*job.offspring, role).moments);
      const std::size_t n = nn::parameter_layout(network_spec(settings.model, role)).n_parameters;
      const std::uint32_t n_of_them = optimizer_of(settings, role).n_moments;
      for (std::uint32_t m = 0; m < n_of_them; ++m) {
        const std::size_t stride = moments.size() / n_of_them;
        visit(moments.subspan(m * stride, ranks.rank() == 0 ? n : stride), n);
      }
    }
  }
}

void scatter_moments(nn::Collectives& ranks, const Settings& settings,
                     std::span<const TrainingJob> jobs) {
  for_moments(ranks, settings, jobs,
              [&](std::span<float> moment, std::size_t n) { ranks.scatter(moment, n); });
}

}  // namespace

void share_training(nn::Collectives& ranks, const Settings& settings,
                    std::span<const TrainingJob> jobs, Generation generation) {
  Bytes training = write_training(jobs, settings, generation);
  ranks.broadcast(training);
  scatter_moments(ranks, settings, jobs);
}

void gather_moments(nn::Collectives& ranks, const Settings& settings,
                    std::span<const TrainingJob> jobs) {
  for_moments(ranks, settings, jobs,
              [&](std::span<float> moment, std::size_t n) { ranks.gather(moment, n); });
}

Bytes write_training(std::span<const TrainingJob> jobs, const Settings& settings,
                     Generation generation) {
  ByteWriter out(written_bytes(jobs, settings));
  out.value(generation);
  out.value(static_cast<std::uint32_t>(jobs.size()));
  for (const TrainingJob& job : jobs) {
    out.value(job.cell.value);
    out.value(job.number);
    for (const NetworkRole role : kNetworkRoles) {
      const Genome& own = genome(*job.offspring, role);
      write(out, own, moments_of(settings, role));
      out.value(own.step);
      write(out, opponents_of(job, role));
      write(out, past_of(job, role));
    }
  }
  return out.take();
}

std::size_t training_bytes(const Settings& settings, std::size_t n_members) {
  const PairBytes pair = pair_bytes(settings);
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  std::size_t whole = 0;  // elements of moments that are not in shards
  for (const NetworkRole role : kNetworkRoles) {
    if (moments_of(settings, role) == Moments::kTravel) whole += shapes[role].n_moments;
  }
  return pair.state - pair.moments + whole * sizeof(float) + (n_members - 1) * pair.weights;
}

// The last rank has as much as any other.
std::size_t moment_shard_bytes(const Settings& settings, std::uint32_t n_ranks) {
  const nn::NoRanks ranks(n_ranks, n_ranks - 1);
  std::size_t n = 0;
  for (const NetworkRole role : kNetworkRoles) n += n_in_moments(settings, role, ranks);
  return n * sizeof(float);
}

ReceivedTraining::ReceivedTraining(std::span<const std::byte> bytes, const Settings& settings,
                                   const nn::Collectives& ranks) {
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  ByteReader in(bytes, kWhat);
  generation_ = in.value<Generation>();
  const auto n_jobs = in.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < n_jobs; ++i) {
    Job& job = jobs_.emplace_back();
    job.cell.value = in.value<std::uint32_t>();
    job.number = in.value<std::uint32_t>();
    PerRole<std::vector<nn::Buffer<float>>> opponents;
    for (const NetworkRole role : kNetworkRoles) {
      const GenomeShape& shape = shapes[role];
      Genome& own = genome(job.offspring, role);
      read(in, shape, own, kWhat);
      own.step = in.value<std::uint32_t>();
      if (own.moments.empty() != (moments_of(settings, role) == Moments::kStay)) {
        throw CommError(std::string(kWhat) + ": moments are there or not, against the optimizer");
      }
      own.moments.resize(n_in_moments(settings, role, ranks));
      opponents[role] = read_networks(in, shape.n_parameters);
      job.history[role] = read_networks(in, shape.n_parameters);
    }
    if (opponents.generator.size() != opponents.discriminator.size()) {
      throw CommError(std::string(kWhat) + ": a sub-population is not of pairs");
    }
    for (std::size_t member = 0; member < opponents.generator.size(); ++member) {
      Pair& pair = job.members.emplace_back();
      for (const NetworkRole role : kNetworkRoles) {
        genome(pair, role).parameters = std::move(opponents[role][member]);
      }
    }
  }
  in.expect_end();
}

std::vector<TrainingJob> ReceivedTraining::jobs() {
  std::vector<TrainingJob> jobs;
  for (Job& job : jobs_) {
    job.opponents = {};
    job.opponents.add(job.cell, job.offspring);
    for (const Pair& member : job.members) job.opponents.add(job.cell, member);
    jobs.push_back({job.cell, &job.offspring, &job.opponents, &job.history, job.number});
  }
  return jobs;
}

TrainingHelper::TrainingHelper(nn::Device& device, const Settings& settings,
                               const data::Dataset& dataset)
    : device_(device), settings_(settings), dataset_(dataset) {}

void TrainingHelper::train(const std::function<void(Generation)>& on_begin,
                           const std::function<bool()>& keep_going) {
  nn::Collectives& ranks = *device_.collectives();
  Bytes bytes;
  ranks.broadcast(bytes);
  ReceivedTraining training(bytes, settings_, ranks);
  bytes = {};
  on_begin(training.generation());
  const std::vector<TrainingJob> jobs = training.jobs();
  scatter_moments(ranks, settings_, jobs);
  const auto n = static_cast<std::uint32_t>(jobs.size());
  if (!trainer_ || trainer_->n_models() != n) trainer_.emplace(device_, settings_, dataset_, n);
  RoutineTimes spent;
  trainer_->train(jobs, training.generation(), keep_going, spent);
  gather_moments(ranks, settings_, jobs);
}

}  // namespace lipizz::coev
