#include "coev/genome.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "coev/history.hpp"
#include "coev/settings.hpp"
#include "core/error.hpp"
#include "core/finite.hpp"

namespace lipizz::coev {
std::string_view to_string(NetworkRole role) {
  return role == NetworkRole::kGenerator ? "generator" : "discriminator";
}

GenomeShape::GenomeShape(const nn::NetworkSpec& network, const nn::OptimizerSpec& optimizer,
                         bool has_average)
    : n_parameters(nn::parameter_layout(network).n_padded),
      n_moments(n_parameters * nn::entry(optimizer.kind).n_moments),
      n_average(has_average ? n_parameters : 0),
      n_loss_scale(optimizer.mixed.is_dynamic() ? 2 : 0) {}

PerRole<GenomeShape> genome_shapes(const Settings& settings) {
  const nn::GanSpec& model = settings.model;
  PerRole<GenomeShape> shapes{
      {model.generator, settings.generator.optimizer, keeps_average(settings)},
      {model.discriminator, settings.discriminator.optimizer}};
  for (const NetworkRole role : kNetworkRoles) {
    shapes[role].moments_in = network_settings(settings, role).moments_in;
  }
  return shapes;
}

PairBytes pair_bytes(const Settings& settings) {
  const auto [g, d] = genome_shapes(settings);
  const std::size_t n_weights = g.n_parameters + g.n_average + d.n_parameters + d.n_average;
  const std::size_t weights = n_weights * sizeof(float);
  const std::size_t moments = (g.n_moments + d.n_moments) * sizeof(float);
  const auto offloaded = [](const GenomeShape& shape) {
    return shape.moments_in == nullptr ? 0 : shape.n_moments * sizeof(float);
  };
  return {.state = weights + moments + history_bytes(settings),
          .weights = weights,
          .moments = moments,
          .offloaded = offloaded(g) + offloaded(d)};
}

Genome GenomeShape::make() const {
  Genome genome;
  genome.parameters = nn::SharedBuffer<float>(n_parameters);
  genome.moments = nn::SharedBuffer<float>(n_moments, moments_in);
  genome.average = nn::SharedBuffer<float>(n_average);
  if (n_loss_scale > 0) genome.loss_scale = {nn::LossScale::kInitial, 0};
  return genome;
}

bool has_shape_of(const Pair& pair, const Pair& other) {
  return std::ranges::all_of(kNetworkRoles, [&](NetworkRole role) {
    const Genome& mine = genome(pair, role);
    const Genome& theirs = genome(other, role);
    return mine.parameters.size() == theirs.parameters.size() &&
           mine.moments.size() == theirs.moments.size() &&
           mine.average.size() == theirs.average.size();
  });
}

void copy(const Genome& from, Genome& to) {
  const std::size_t n_moments = to.moments.size();
  const nn::StoragePointer storage = to.moments.storage();
  to = from;
  if (from.moments.empty()) to.moments = nn::SharedBuffer<float>(n_moments, storage);
}

Genome travelling(const Genome& genome, Moments moments) {
  Genome told = genome;
  if (moments == Moments::kTravel) return told;
  told.moments = {};
  told.step = 0;
  return told;
}

UploadedGenome upload(nn::UploadScope& uploads, Genome& genome, bool moments_on_host) {
  const std::span<float> moments = genome.moments.writable();
  return {uploads.upload(genome.parameters.writable()),
          moments_on_host ? nn::Region{moments.data(), moments.size()} : uploads.upload(moments),
          uploads.upload(genome.average.writable())};
}

nn::TrainedNetwork trained(const Genome& genome, const UploadedGenome& uploaded,
                           const SchedulePoint& now) {
  return {.parameters = uploaded.parameters,
          .moments = uploaded.moments,
          .learning_rate = static_cast<float>(genome.learning_rate * now.rate),
          .loss = genome.loss,
          .step = genome.step,
          .average = uploaded.average,
          .progress = static_cast<float>(now.progress)};
}

bool is_loss_scale(std::span<const float> state) {
  using nn::LossScale;
  if (state.empty()) return true;
  int exponent = 0;
  const bool is_scale = state[0] >= LossScale::kLeast && state[0] <= LossScale::kMost &&
                        std::frexp(state[0], &exponent) == 0.5F;
  return is_scale && state[1] >= 0 && state[1] <= LossScale::kGrowthInterval &&
         state[1] == std::floor(state[1]);
}

bool is_finite(const Genome& genome) {
  return all_finite(genome.parameters) && all_finite(genome.moments) && all_finite(genome.average);
}

void write(ByteWriter& out, const Genome& genome, Moments moments) {
  out.value(genome.learning_rate);
  out.value(genome.loss);
  const bool travel = moments == Moments::kTravel;
  out.value(travelling(genome, moments).step);
  out.value(genome.origin.value);
  out.value(static_cast<std::uint32_t>(travel));
  for (const float number : genome.loss_scale) out.value(number);
  out.values(std::span<const float>(genome.parameters));
  if (!genome.average.empty()) out.values(std::span<const float>(genome.average));
  if (travel) out.values(std::span<const float>(genome.moments));
}

std::size_t written_bytes(const Genome& genome, Moments moments) {
  const auto counted = [](std::span<const float> values) {
    return sizeof(std::uint64_t) + values.size() * sizeof(float);
  };
  return sizeof(double) + 4 * sizeof(std::uint32_t) + genome.loss_scale.size() * sizeof(float) +
         counted(genome.parameters) + (genome.average.empty() ? 0 : counted(genome.average)) +
         (moments == Moments::kTravel ? counted(genome.moments) : 0);
}

void read(ByteReader& in, const GenomeShape& shape, Genome& genome, std::string_view what) {
  genome.learning_rate = in.value<double>();
  genome.loss = in.value<nn::LossId>();
  genome.step = in.value<std::uint32_t>();
  genome.origin.value = in.value<std::uint32_t>();
  const auto has_moments = in.value<std::uint32_t>();
  genome.loss_scale.resize(shape.n_loss_scale);
  for (float& number : genome.loss_scale) number = in.value<float>();
  const bool is_sane = std::isfinite(genome.learning_rate) && genome.learning_rate >= 0 &&
                       genome.loss < nn::losses().size() && has_moments <= 1 &&
                       is_loss_scale(genome.loss_scale);
  if (!is_sane) {
    throw CommError(std::string(what) +
                    ": expected a learning rate, a known loss, whether moments follow and a loss "
                    "scale, found something else; are all ranks of the same build?");
  }
  genome.parameters.reset(shape.n_parameters);
  in.values_into(genome.parameters.writable());
  genome.average.reset(shape.n_average);
  if (shape.n_average != 0) in.values_into(genome.average.writable());
  genome.moments.reset(has_moments != 0 ? shape.n_moments : 0, shape.moments_in);
  if (has_moments != 0) in.values_into(genome.moments.writable());
}

void hash(Hasher& hasher, const Genome& genome) {
  hasher.values(std::span<const float>(genome.parameters));
  hasher.values(std::span<const float>(genome.moments));
  if (!genome.average.empty()) hasher.values(std::span<const float>(genome.average));
  if (!genome.loss_scale.empty()) hasher.values(std::span<const float>(genome.loss_scale));
  hasher.value(genome.learning_rate);
  hasher.value(genome.loss);
  hasher.value(genome.step);
}

}  // namespace lipizz::coev
