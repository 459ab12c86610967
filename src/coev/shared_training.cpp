#include "coev/shared_training.hpp"

#include <string>
#include <utility>

#include "coev/history.hpp"
#include "coev/routine_times.hpp"
#include "core/error.hpp"
#include "nn/train/rank_parts.hpp"

namespace lipizz::coev {
namespace {

constexpr const char* kWhat = "what the ranks of a cell train";

using Networks = std::vector<std::span<const float>>;

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

PerRole<nn::RankParts> parts_of(const Settings& settings, const nn::Collectives& ranks,
                                const nn::Pipeline* pipeline) {
  const nn::PairStages stages = nn::pair_stages(settings.model, pipeline);
  const auto parts = [&](NetworkRole role, const nn::NetworkStages& of_network) {
    return nn::rank_parts(of_network, network_settings(settings, role).optimizer,
                          step_options(settings, role), ranks.size());
  };
  return {parts(NetworkRole::kGenerator, stages.generator),
          parts(NetworkRole::kDiscriminator, stages.discriminator)};
}

std::uint32_t n_moments_of(const Settings& settings, NetworkRole role) {
  return nn::entry(network_settings(settings, role).optimizer.kind).n_moments;
}

// The genome as a message tells of it: all but its values.
Genome without_values(const Genome& from) {
  Genome told;
  told.learning_rate = from.learning_rate;
  told.loss = from.loss;
  told.origin = from.origin;
  told.loss_scale = from.loss_scale;
  return told;
}

// Its shape.
GenomeShape shape_without_values(const GenomeShape& whole) {
  GenomeShape told;
  told.n_loss_scale = whole.n_loss_scale;
  return told;
}

// Visits one moment after the other, of a network or of the part that a rank has.
template <class Values, class Visit>
void for_moments(Values moments, std::uint32_t n_moments, const Visit& visit) {
  const std::size_t n = n_moments == 0 ? 0 : moments.size() / n_moments;
  for (std::uint32_t m = 0; m < n_moments; ++m) visit(moments.subspan(m * n, n));
}

// The first rank's side of handing out networks.
class Giver {
 public:
  explicit Giver(nn::Collectives& ranks) : ranks_(ranks) {}

  void network(const nn::RankParts& parts, std::span<const float> values) {
    for (const auto& part : parts.held) ranks_.scatter(values, part, {});
  }
  void moment(const nn::RankParts& parts, std::span<const float> values) {
    ranks_.scatter(values, parts.moments, {});
  }

 private:
  nn::Collectives& ranks_;
};

// The other ranks' side, into buffers of what they hold.
class Taker {
 public:
  explicit Taker(nn::Collectives& ranks) : ranks_(ranks) {}

  void network(const nn::RankParts& parts, std::span<float> values) {
    std::size_t first = 0;
    for (const auto& part : parts.held) {
      const std::size_t n = part[ranks_.rank()].n;
      ranks_.scatter({}, part, values.subspan(first, n));
      first += n;
    }
  }
  void moment(const nn::RankParts& parts, std::span<float> values) {
    ranks_.scatter({}, parts.moments, values);
  }

 private:
  nn::Collectives& ranks_;
};

// A genome's buffers, in the order in which both sides hand them over.
template <class Side, class OwnGenome>
void hand_over(Side& side, const nn::RankParts& parts, OwnGenome& own, std::uint32_t n_moments) {
  side.network(parts, elements(own.parameters));
  if (!own.average.empty()) side.network(parts, elements(own.average));
  for_moments(elements(own.moments), n_moments, [&](auto moment) { side.moment(parts, moment); });
}

// Brings back what other ranks have updated; at these, `own` is what they hold.
void gather_genome(nn::Collectives& ranks, const nn::RankParts& parts, Genome& own,
                   std::uint32_t n_moments) {
  const bool is_first = ranks.rank() == 0;
  const auto gather = [&](std::span<float> values, std::size_t first,
                          const nn::RankParts::OfRanks& updated) {
    ranks.gather(is_first ? values.first(0) : values.subspan(first, updated[ranks.rank()].n),
                 updated, values);
  };
  for (const std::span<float> values : {own.parameters.writable(), own.average.writable()}) {
    if (values.empty()) continue;
    std::size_t first = 0;
    for (const auto& updated : parts.updated) {
      gather(values, first, updated);
      first += updated[ranks.rank()].n;
    }
  }
  for_moments(own.moments.writable(), n_moments,
              [&](std::span<float> moment) { gather(moment, 0, parts.updated_moments); });
}

}  // namespace

void share_training(nn::Device& device, const Settings& settings, std::span<const TrainingJob> jobs,
                    Generation generation) {
  nn::Collectives& ranks = *device.collectives();
  Bytes training = write_training(jobs, generation);
  ranks.broadcast(training);
  const PerRole<nn::RankParts> parts = parts_of(settings, ranks, device.pipeline());
  Giver giver(ranks);
  for (const TrainingJob& job : jobs) {
    for (const NetworkRole role : kNetworkRoles) {
      const Genome& offspring = genome(*job.offspring, role);
      hand_over(giver, parts[role], offspring, n_moments_of(settings, role));
      for (const auto& network : opponents_of(job, role)) giver.network(parts[role], network);
      for (const auto& network : past_of(job, role)) giver.network(parts[role], network);
    }
  }
}

void gather_training(nn::Device& device, const Settings& settings,
                     std::span<const TrainingJob> jobs) {
  nn::Collectives& ranks = *device.collectives();
  const PerRole<nn::RankParts> parts = parts_of(settings, ranks, device.pipeline());
  for (const TrainingJob& job : jobs) {
    for (const NetworkRole role : kNetworkRoles) {
      gather_genome(ranks, parts[role], genome(*job.offspring, role), n_moments_of(settings, role));
    }
  }
}

Bytes write_training(std::span<const TrainingJob> jobs, Generation generation) {
  ByteWriter out;
  out.value(generation);
  out.value(static_cast<std::uint32_t>(jobs.size()));
  for (const TrainingJob& job : jobs) {
    out.value(job.cell.value);
    out.value(job.number);
    for (const NetworkRole role : kNetworkRoles) {
      const Genome& own = genome(*job.offspring, role);
      write(out, without_values(own), Moments::kStay);
      out.value(own.step);
      out.value(static_cast<std::uint32_t>(opponents_of(job, role).size()));
      out.value(static_cast<std::uint32_t>(past_of(job, role).size()));
    }
  }
  return out.take();
}

std::size_t training_bytes(const Settings& settings, std::size_t n_members,
                           const nn::Collectives& ranks, const nn::Pipeline* pipeline,
                           std::uint32_t rank) {
  const PerRole<nn::RankParts> parts = parts_of(settings, ranks, pipeline);
  std::size_t n = 0;
  for (const NetworkRole role : kNetworkRoles) {
    const GenomeShape shape = genome_shapes(settings)[role];
    const std::size_t n_averages = shape.n_average > 0 ? 1 : 0;
    n += (n_members + n_averages + history_spec(settings, role).size) * parts[role].n_held(rank) +
         n_moments_of(settings, role) * parts[role].moments[rank].n;
  }
  return n * sizeof(float);
}

std::size_t offloaded_bytes(const Settings& settings, const nn::Collectives& ranks,
                            const nn::Pipeline* pipeline, std::uint32_t rank) {
  const PerRole<nn::RankParts> parts = parts_of(settings, ranks, pipeline);
  std::size_t n = 0;
  for (const NetworkRole role : kNetworkRoles) {
    if (network_settings(settings, role).moments_in == nullptr) continue;
    n += n_moments_of(settings, role) * parts[role].moments[rank].n;
  }
  return n * sizeof(float);
}

ReceivedTraining::ReceivedTraining(std::span<const std::byte> bytes, const Settings& settings) {
  ByteReader in(bytes, kWhat);
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  generation_ = in.value<Generation>();
  const auto n_jobs = in.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < n_jobs; ++i) {
    Job& job = jobs_.emplace_back();
    job.cell.value = in.value<std::uint32_t>();
    job.number = in.value<std::uint32_t>();
    for (const NetworkRole role : kNetworkRoles) {
      Genome& own = genome(job.offspring, role);
      read(in, shape_without_values(shapes[role]), own, kWhat);
      own.step = in.value<std::uint32_t>();
      job.n_opponents[role] = in.value<std::uint32_t>();
      job.n_past[role] = in.value<std::uint32_t>();
    }
    if (job.n_opponents.generator != job.n_opponents.discriminator) {
      throw CommError(std::string(kWhat) + ": a sub-population is not of pairs");
    }
  }
  in.expect_end();
}

// Memory grows with what arrives, whatever the numbers of networks say.
void ReceivedTraining::take_values(nn::Device& device, const Settings& settings) {
  nn::Collectives& ranks = *device.collectives();
  const PerRole<nn::RankParts> parts = parts_of(settings, ranks, device.pipeline());
  Taker taker(ranks);
  for (Job& job : jobs_) {
    for (const NetworkRole role : kNetworkRoles) {
      const std::size_t n_held = parts[role].n_held(ranks.rank());
      const std::uint32_t n_moments = n_moments_of(settings, role);
      Genome& own = genome(job.offspring, role);
      own.parameters.reset(n_held);
      if (genome_shapes(settings)[role].n_average > 0) own.average.reset(n_held);
      own.moments.reset(n_moments * parts[role].moments[ranks.rank()].n,
                        network_settings(settings, role).moments_in);
      hand_over(taker, parts[role], own, n_moments);
      for (std::uint32_t i = 0; i < job.n_opponents[role]; ++i) {
        if (i == job.members.size()) job.members.emplace_back();
        nn::SharedBuffer<float>& network = genome(job.members[i], role).parameters;
        network.reset(n_held);
        taker.network(parts[role], network.writable());
      }
      for (std::uint32_t i = 0; i < job.n_past[role]; ++i) {
        taker.network(parts[role], job.history[role].emplace_back(n_held).writable());
      }
    }
  }
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
  ReceivedTraining training(bytes, settings_);
  on_begin(training.generation());
  training.take_values(device_, settings_);
  const std::vector<TrainingJob> jobs = training.jobs();
  const auto n = static_cast<std::uint32_t>(jobs.size());
  if (!trainer_ || trainer_->n_models() != n) trainer_.emplace(device_, settings_, dataset_, n);
  RoutineTimes spent;
  trainer_->train(jobs, training.generation(), keep_going, spent);
  gather_training(device_, settings_, jobs);
}

}  // namespace lipizz::coev
