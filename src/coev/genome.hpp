#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "coev/training_schedule.hpp"
#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/shared_buffer.hpp"
#include "nn/network/network.hpp"
#include "nn/train/gan_step.hpp"

namespace lipizz::coev {

struct Settings;  // coev/settings.hpp

/// One network's whole state: an individual of Schmiedlechner et al. 2018, whose generators and
/// discriminators are its two populations. Departure: its rate, loss and moments belong to it and
/// travel or are hashed with it; the original keeps a rate that the optimizer does not use.
///
/// A copy costs little: copies share their arrays until one is trained
/// (docs/adr/0052-copies-of-networks-share-memory.md).
struct Genome {
  nn::SharedBuffer<float> parameters;  // [n_padded], as nn::parameter_layout says
  nn::SharedBuffer<float> moments;     // [n_moments * n_padded]; empty in a neighbour's that left
                                       // them
  nn::SharedBuffer<float> average;     // moving average of the parameters, [n_padded]; empty: none
                                       // kept
  nn::Buffer<float> loss_scale;        // where it is dynamic, [2]: the factor of losses in the next
                                       // step, updates in a row that were made; empty: it is not
  double learning_rate = 0;
  nn::LossId loss = 0;
  std::uint32_t step = 0;  // optimizer steps that the moments have seen
  CellId origin;           // the cell whose centre it was trained from; not hashed

  bool operator==(const Genome&) const = default;
};

/// Says whether a genome takes its moments along to other cells.
enum class Moments { kTravel, kStay };

/// A cell's generator and discriminator.
struct Pair {
  Genome generator;
  Genome discriminator;

  bool operator==(const Pair&) const = default;
};

enum class NetworkRole : std::uint32_t { kGenerator = 0, kDiscriminator = 1 };

inline constexpr std::array kNetworkRoles{NetworkRole::kGenerator, NetworkRole::kDiscriminator};

constexpr NetworkRole opposite(NetworkRole role) {
  return role == NetworkRole::kGenerator ? NetworkRole::kDiscriminator : NetworkRole::kGenerator;
}

std::string_view to_string(NetworkRole role);

inline Genome& genome(Pair& pair, NetworkRole role) {
  return role == NetworkRole::kGenerator ? pair.generator : pair.discriminator;
}
inline const Genome& genome(const Pair& pair, NetworkRole role) {
  return role == NetworkRole::kGenerator ? pair.generator : pair.discriminator;
}

/// The network of this role of a pair.
inline const nn::NetworkSpec& network_spec(const nn::GanSpec& model, NetworkRole role) {
  return role == NetworkRole::kGenerator ? model.generator : model.discriminator;
}

/// One of something for each role.
template <class T>
struct PerRole {
  T generator{};
  T discriminator{};
  T& operator[](NetworkRole role) {
    return role == NetworkRole::kGenerator ? generator : discriminator;
  }
  const T& operator[](NetworkRole role) const {
    return role == NetworkRole::kGenerator ? generator : discriminator;
  }
  bool operator==(const PerRole&) const = default;
};

/// How large a genome's arrays are.
struct GenomeShape {
  std::size_t n_parameters = 0;  // padded
  std::size_t n_moments = 0;     // elements of all moments together
  std::size_t n_average = 0;     // as n_parameters, or 0
  std::size_t n_loss_scale = 0;  // 2, or 0
  nn::StoragePointer moments_in{};

  GenomeShape() = default;
  GenomeShape(const nn::NetworkSpec& network, const nn::OptimizerSpec& optimizer,
              bool has_average = false);
  /// All zero, but for a loss scale as it is at the beginning.
  [[nodiscard]] Genome make() const;
};

/// The shapes of both networks of a run's cells.
PerRole<GenomeShape> genome_shapes(const Settings& settings);

/// Bytes of the arrays of both networks of a cell: all that belong to its state, with the networks
/// of its past; what travels without moments; and these.
struct PairBytes {
  std::size_t state;
  std::size_t weights;
  std::size_t moments;
  std::size_t offloaded;  // moments that lie in a storage

  [[nodiscard]] std::size_t in_memory() const { return state - offloaded; }
};
PairBytes pair_bytes(const Settings& settings);

/// True when the arrays of both pairs have equal sizes.
bool has_shape_of(const Pair& pair, const Pair& other);

/// Copies a genome over another one of the same shape, whose arrays are complete. Where `from` has
/// no moments, they start anew: zero, and no step made.
void copy(const Genome& from, Genome& to);
/// The genome as it travels: without moments, the step is 0, too, since it counts what they have
/// seen.
Genome travelling(const Genome& genome, Moments moments);

/// The parameters that samples are made with: the average where one is kept.
inline const nn::SharedBuffer<float>& sampled(const Genome& genome) {
  return genome.average.empty() ? genome.parameters : genome.average;
}

/// Where a genome lies on the device that trains it.
struct UploadedGenome {
  nn::Region parameters;
  nn::Region moments;
  nn::Region average;
};
/// Moments that stay on the host (OptimizerSpec::moments_on_host) are where they were.
UploadedGenome upload(nn::UploadScope& uploads, Genome& genome, bool moments_on_host = false);

/// The genome with the next step's settings, for a training program.
nn::TrainedNetwork trained(const Genome& genome, const UploadedGenome& uploaded,
                           const SchedulePoint& now = {});

/// True when these are a power of two and a number of updates that a loss scale can have, or none.
bool is_loss_scale(std::span<const float> state);

/// True when every parameter and moment is a finite number.
bool is_finite(const Genome& genome);

/// Appends the genome to a message: rate, loss, step, origin, whether moments follow, the loss
/// scale where it is dynamic, parameters, the average where one is kept, then the moments or none
/// (docs/protocol.md has the bytes).
void write(ByteWriter& out, const Genome& genome, Moments moments);
/// How many bytes that is.
std::size_t written_bytes(const Genome& genome, Moments moments);
/// Fills a genome. CommError, and an unspecified genome, when lengths, loss or rate make no sense.
void read(ByteReader& in, const GenomeShape& shape, Genome& genome, std::string_view what);

/// Adds all that the algorithm is to the hash: parameters, moments, average, loss scale, rate, loss
/// and step.
void hash(Hasher& hasher, const Genome& genome);

}  // namespace lipizz::coev
