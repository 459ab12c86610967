#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "nn/cpu/numerics.hpp"
#include "nn/gan_training.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/rank_parts.hpp"

/// Steps of a pair that several ranks compute together, each with what it is to have of the pair.
namespace lipizz::parallel {

namespace training = nn::testing::gan_training;

// On the fast engine where there is one.
inline nn::Engine engine_with(nn::Collectives* collectives) {
  nn::Engine engine = nn::testing::fastest_engine();
  engine.collectives = collectives;
  return engine;
}

using OfRanks = nn::RankParts::OfRanks;

// Elements that only other ranks have are no numbers: nobody may look there.
inline void spoil(std::span<const OfRanks> parts, std::uint32_t rank, std::span<float> values) {
  const auto is_in = [](const nn::Shard& part, std::size_t i) {
    return i >= part.first && i < part.end();
  };
  for (const OfRanks& part : parts) {
    for (const nn::Shard& of_one : part) {
      for (std::size_t i = of_one.first; i < of_one.end(); ++i) {
        if (!is_in(part[rank], i)) values[i] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
}

// Those of the first rank.
inline void broadcast(std::span<float> values, nn::Collectives& ranks) {
  ranks.all_gather(ranks.rank() == 0 ? values : std::span<float>(), values);
}

template <class T>
void broadcast(T& value, nn::Collectives& ranks) {
  const auto bytes = std::as_writable_bytes(std::span(&value, 1));
  Bytes all(bytes.begin(), bytes.end());
  ranks.broadcast(all);
  std::ranges::copy(all, bytes.begin());
}

// Brings to all what any has updated, which is what each has of it.
inline void join(std::span<const OfRanks> updated, std::span<const OfRanks> held,
                 nn::Collectives& ranks, std::span<float> values) {
  const std::vector<float> own_values(values.begin(), values.end());
  for (const OfRanks& part : updated) {
    const nn::Shard& own = part[ranks.rank()];
    ranks.gather(values.subspan(own.first, own.n), part, values);
  }
  broadcast(values, ranks);
  for (const OfRanks& part : held) {
    const nn::Shard& own = part[ranks.rank()];
    EXPECT_TRUE(std::ranges::equal(values.subspan(own.first, own.n),
                                   std::span(own_values).subspan(own.first, own.n)))
        << "of rank " << ranks.rank();
  }
}

// A network in training, as the ranks of a cell have it.
struct SharedNetwork {
  nn::RankParts parts;
  std::vector<std::span<float>> networks;  // parameters, and an average
  std::vector<std::span<float>> moments;

  void spoil_others(std::uint32_t rank) const {
    for (const auto values : networks) spoil(parts.held, rank, values);
    for (const auto values : moments) spoil(std::span(&parts.moments, 1), rank, values);
  }
  void join_all(nn::Collectives& ranks) const {
    for (const auto values : networks) join(parts.updated, parts.held, ranks, values);
    for (const auto values : moments) {
      join(std::span(&parts.updated_moments, 1), std::span(&parts.moments, 1), ranks, values);
    }
  }
};

inline SharedNetwork shared_network(const nn::RankParts& parts, nn::Buffer<float>& network,
                                    nn::Buffer<float>& moments) {
  SharedNetwork shared{parts, {std::span(network)}, {}};
  for (std::size_t first = 0; first < moments.size(); first += network.size()) {
    shared.moments.push_back(std::span(moments).subspan(first, network.size()));
  }
  return shared;
}

// The ranks' shares of a pair.
struct SharedPair {
  SharedPair(const training::Training& how, nn::Device& device, training::Pair& pair) {
    const nn::PairStages stages = nn::pair_stages(how.gan, device.pipeline());
    const auto parts = [&](const nn::NetworkStages& of_network, const nn::OptimizerSpec& optimizer,
                           const nn::StepOptions& of_step) {
      return nn::rank_parts(of_network, optimizer, of_step, device.collectives()->size());
    };
    all.push_back(shared_network(parts(stages.generator, how.optimizer, how.options_of_generator()),
                                 pair.g, pair.g_moments));
    if (!pair.average.empty()) all.back().networks.push_back(pair.average);
    all.push_back(shared_network(parts(stages.discriminator, how.optimizer_of_discriminator(),
                                       how.options_of_discriminator()),
                                 pair.d, pair.d_moments));
  }
  std::vector<SharedNetwork> all;
};

// All of the pair, on every rank of the device's.
inline training::Pair after_steps_on(nn::Device& device, training::Training how,
                                     std::uint32_t n_micro_batches, std::uint32_t steps,
                                     std::uint64_t seed = 0) {
  how.options.n_micro_batches = n_micro_batches;
  std::vector<training::Pair> pairs;
  pairs.emplace_back(how.gan, seed);
  nn::Collectives* const ranks = device.collectives();
  std::vector<SharedNetwork> shared;
  if (ranks != nullptr) shared = SharedPair(how, device, pairs.front()).all;
  for (const SharedNetwork& network : shared) network.spoil_others(ranks->rank());
  training::train(device, how, pairs, steps);
  for (const SharedNetwork& network : shared) network.join_all(*ranks);
  return std::move(pairs.front());
}

inline training::Pair after_steps(const training::Training& how, std::uint32_t n_micro_batches,
                                  nn::Collectives* collectives, std::uint32_t steps,
                                  std::uint32_t n_threads = 1, std::uint64_t seed = 0) {
  nn::Engine engine = engine_with(collectives);
  engine.n_threads = n_threads;
  nn::HostDevice device(engine);
  return after_steps_on(device, how, n_micro_batches, steps, seed);
}

// The pair as one rank has it after these steps: the first computes it on that device, for all.
inline training::Pair by_one_rank_on(nn::Device& device, const training::Training& how,
                                     std::uint32_t n_micro_batches, nn::Collectives& ranks,
                                     std::uint32_t steps, std::uint64_t seed = 0) {
  training::Pair pair = ranks.rank() == 0
                            ? after_steps_on(device, how, n_micro_batches, steps, seed)
                            : training::Pair(how.gan, seed);
  for (auto* const values : {&pair.g, &pair.d, &pair.g_moments, &pair.d_moments, &pair.average}) {
    broadcast(std::span(*values), ranks);
  }
  for (auto* const history : {&pair.g_history, &pair.d_history}) broadcast(*history, ranks);
  for (float* const loss : {&pair.g_loss, &pair.d_loss}) broadcast(*loss, ranks);
  return pair;
}

inline training::Pair by_one_rank(const training::Training& how, std::uint32_t n_micro_batches,
                                  nn::Collectives& ranks, std::uint32_t steps,
                                  std::uint64_t seed = 0) {
  nn::HostDevice alone(engine_with(nullptr));
  return by_one_rank_on(alone, how, n_micro_batches, ranks, steps, seed);
}

using nn::ZeroStage;

inline constexpr ZeroStage kZeroStages[] = {ZeroStage::kNothing, ZeroStage::kMoments,
                                            ZeroStage::kGradients, ZeroStage::kParameters};

inline std::string name_of(ZeroStage g, ZeroStage d) {
  return "zero " + std::to_string(static_cast<int>(g)) + " of the generator, " +
         std::to_string(static_cast<int>(d)) + " of the discriminator";
}

// How a pair is trained, where ranks share out anything of it.
struct Way {
  std::uint32_t n_micro_batches;
  nn::OptimizerSpec optimizer{};
  const nn::Penalty* penalty = nullptr;
};

// So many micro-batches, clipped or not, in fp16 or not.
inline std::vector<Way> ways_of_updates(std::span<const std::uint32_t> numbers_of_micro_batches) {
  std::vector<Way> all;
  for (const std::uint32_t n : numbers_of_micro_batches) {
    for (const double clip_norm : {0.0, 0.1}) {
      all.push_back({n, {.clip_norm = clip_norm}});
      all.push_back({n, {.clip_norm = clip_norm, .mixed = {nn::Half::kFp16}}});
    }
  }
  return all;
}

inline std::string name_of(const Way& way) {
  return std::to_string(way.n_micro_batches) + " micro-batches" +
         (way.optimizer.clip_norm > 0 ? ", clipped" : "") +
         (way.optimizer.clip_value > 0 ? ", clipped by value" : "") +
         (way.optimizer.weight_clip > 0 ? ", weights clipped" : "") +
         (way.optimizer.mixed.format ? ", in fp16" : "") +
         (way.penalty == nullptr ? "" : ", with a penalty");
}

// A pair that is trained so, with a moving average.
inline training::Training trained_so(const Way& way, std::uint32_t batch) {
  training::Training how{nn::make_model("mlp-2d"), batch, {.penalty = way.penalty}};
  how.options.average_decay = 0.9;
  how.optimizer = way.optimizer;
  return how;
}

// The same as one rank has it: updates have been made, and clipping makes them others.
inline training::Pair updated_by_one_rank(training::Training how, std::uint32_t n_micro_batches,
                                          nn::Collectives& ranks, std::uint32_t steps) {
  const training::Pair wanted = by_one_rank(how, n_micro_batches, ranks, steps);
  EXPECT_LT(wanted.g_history.n_skipped, steps);
  EXPECT_LT(wanted.d_history.n_skipped, steps);
  if (how.optimizer.clip_norm > 0 || how.optimizer.clip_value > 0) {
    how.optimizer.clip_norm = std::numeric_limits<float>::max();
    how.optimizer.clip_value = 0;
    const training::Pair free = by_one_rank(how, n_micro_batches, ranks, steps);
    EXPECT_GT(nn::testing::relative_l2(wanted.g_moments, free.g_moments), 0.1);
    EXPECT_GT(nn::testing::relative_l2(wanted.d_moments, free.d_moments), 0.1);
  }
  return wanted;
}

// The pair that `trained` comes to with every pair of stages.
template <class Trained>
void expect_of_all_stages(const training::Pair& wanted, const Trained& trained) {
  for (const ZeroStage g : kZeroStages) {
    for (const ZeroStage d : kZeroStages) EXPECT_EQ(trained(g, d), wanted) << name_of(g, d);
  }
}

}  // namespace lipizz::parallel
