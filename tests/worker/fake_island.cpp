#include "fake_island.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "coev/island.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::coev {
namespace {

constexpr std::uint32_t kLow = (1U << 31) - 1;

}  // namespace

struct Island::Impl {
  Settings settings;
  grid::Torus torus;
  std::vector<CellId> hosted;
  std::map<CellId, std::uint64_t> state;
  std::map<std::pair<CellId, CellId>, std::uint64_t> received;
  Generation generation = 0;
  nn::SharedBuffer<float> parameters;
  mutable std::map<CellId, CellState> whole;

  [[nodiscard]] std::vector<CellId> members(CellId cell) const {
    return settings.neighbourhood.at(generation).neighbours(torus, cell);
  }

  std::uint64_t stirred(CellId cell) {
    Hasher hasher(state.at(cell));
    for (const CellId member : members(cell)) {
      const bool is_there = !settings.max_staleness || received.contains({cell, member});
      if (is_there) hasher.value(std::exchange(received.at({cell, member}), 0));
    }
    return hasher.digest() >> 2;
  }

  CellReport report(CellId cell) {
    CellReport report;
    report.cell = cell;
    report.generation = generation;
    report.score = static_cast<double>(state.at(cell) % 1000);
    report.mixture.push_back({cell, 1.0});
    for (const CellId member : members(cell)) report.mixture.push_back({member, 0.0});
    report.profile = {{"train", 1.0}};
    if (cell == CellId{0}) report.warnings = {"a warning"};
    return report;
  }

  std::vector<CellReport> reports() {
    std::vector<CellReport> all;
    for (const CellId cell : hosted) all.push_back(report(cell));
    return all;
  }
};

Island::Island(const Settings& settings, const grid::Torus& torus, std::vector<CellId> hosted,
               const data::Dataset&, metrics::Scorer&, nn::Device&)
    : impl_(std::make_unique<Impl>(Impl{settings, torus, std::move(hosted), {}, {}, 0, {}, {}})) {
  for (const CellId cell : impl_->hosted) impl_->state[cell] = settings.seed * 1000 + cell.value;
  impl_->parameters.reset(nn::parameter_layout(settings.model.generator).n_padded);
}

std::size_t Island::bytes(const Settings&, std::size_t) {
  return 0;
}

std::size_t Island::offloaded_bytes(const Settings&, std::size_t) {
  return 0;
}

Island::~Island() = default;

std::span<const CellId> Island::hosted() const {
  return impl_->hosted;
}

std::vector<CellId> Island::needs(CellId cell, Generation generation) const {
  return impl_->settings.neighbourhood.at(generation).neighbours(impl_->torus, cell);
}

Bytes Island::publication(CellId cell) const {
  ByteWriter writer;
  writer.value(cell);
  writer.value(impl_->generation);
  writer.value(impl_->state.at(cell));
  return writer.take();
}

void Island::receive(CellId cell, CellId neighbour, std::span<const std::byte> publication) {
  ByteReader reader(publication, "a fake publication");
  const bool is_neighbours = reader.value<CellId>() == neighbour;
  const bool is_of_now = reader.value<Generation>() == impl_->generation;
  if (!is_neighbours || !(is_of_now || impl_->settings.max_staleness)) {
    throw InternalError("a publication went astray");
  }
  impl_->received[{cell, neighbour}] = reader.value<std::uint64_t>();
}

void Island::receive_hosted(CellId cell, CellId neighbour) {
  receive(cell, neighbour, publication(neighbour));
}

void Island::evolve(Generation generation, const std::function<void(CellId)>& on_decided,
                    const std::function<bool()>& keep_going) {
  impl_->generation = generation;
  std::map<CellId, std::uint64_t> next;
  for (const CellId cell : impl_->hosted) {
    if (!keep_going()) throw Interrupted();
    const bool is_second = generation == 2;
    if (impl_->settings.seed == fake::kSeedOfFailure && is_second && cell == CellId{1}) {
      throw DataError("the samples are gone");
    }
    while (impl_->settings.seed == fake::kSeedOfEndlessTraining && is_second) {
      if (!keep_going()) throw Interrupted();
      std::this_thread::yield();
    }
    next[cell] = impl_->stirred(cell);
  }
  impl_->state = next;
  for (const CellId cell : impl_->hosted) on_decided(cell);
}

void Island::weigh_final() {
  finish();
}

void Island::score_only(std::vector<CellId>) {}

void Island::narrow(std::span<const CellId> kept) {
  impl_->hosted.assign(kept.begin(), kept.end());
}

std::vector<CellReport> Island::evaluate(Generation) {
  return impl_->reports();
}

std::vector<CellReport> Island::finish() {
  for (const CellId cell : impl_->hosted) impl_->state[cell] = impl_->stirred(cell);
  return impl_->reports();
}

// The number, which has 62 bits, hides in the step counts of the two genomes.
const CellState& Island::state(CellId cell) const {
  const Impl& i = *impl_;
  CellState& state = i.whole[cell];
  state.id = cell;
  state.generation = i.generation;
  const PerRole<GenomeShape> shapes = genome_shapes(i.settings);
  state.centre.generator = shapes.generator.make();
  state.centre.discriminator = shapes.discriminator.make();
  state.centre.generator.step = i.state.at(cell) & kLow;
  state.centre.discriminator.step = static_cast<std::uint32_t>(i.state.at(cell) >> 31);
  state.mixture = equal_mixture({&cell, 1});
  return state;
}

void Island::resume(std::vector<CellState> states) {
  for (const CellState& state : states) {
    impl_->generation = state.generation;
    impl_->state.at(state.id) =
        std::uint64_t{state.centre.discriminator.step} << 31 | state.centre.generator.step;
  }
}

std::uint64_t Island::fingerprint(CellId cell) const {
  return impl_->state.at(cell);
}

std::vector<float> Island::sample_mixture(CellId cell, std::uint32_t n) {
  return std::vector<float>(std::size_t{n} * impl_->settings.model.sample(),
                            static_cast<float>(cell.value));
}

std::vector<Island::MixtureMember> Island::mixture_generators(CellId cell) const {
  return {{cell, 1.0, impl_->parameters}};
}

MixtureExamples Island::mixture_examples(CellId cell, std::uint32_t n) {
  const nn::GanSpec& model = impl_->settings.model;
  return {n, std::vector<float>(std::size_t{n} * model.latent()), {}, {sample_mixture(cell, n)}};
}

}  // namespace lipizz::coev
