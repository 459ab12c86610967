#include "coev/island.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "coev/cell.hpp"
#include "coev/evolution.hpp"
#include "coev/mixture_scoring.hpp"
#include "coev/neighbours.hpp"
#include "coev/publication.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::coev {
namespace {

// Those of a cell that are there at the same time.
std::size_t n_offspring(const Settings& settings) {
  return settings.operators.n_offspring > 1 ? 2 : 1;
}

// Set-up has refused an experiment for which this does not hold.
void check_fit(const Settings& settings, const data::Dataset& dataset) {
  const nn::GanSpec& model = settings.model;
  const std::uint32_t sample = dataset.shape().size();
  if (model.sample() == sample && nn::n_outputs(model.generator) == sample &&
      model.n_condition_channels == dataset.n_condition_channels() &&
      model.n_classes() <= dataset.n_classes() &&
      settings.batch_size <= settings.data_share * dataset.n_train()) {
    return;
  }
  throw InternalError("expected settings for the samples of " + std::string(dataset.name()));
}

}  // namespace

struct Island::Impl {
  Impl(const Settings& settings_given, const grid::Torus& torus_given,
       std::vector<CellId> hosted_ids, const data::Dataset& dataset, metrics::Scorer& scorer,
       nn::Device& device);

  [[nodiscard]] Cell& cell(CellId id);
  [[nodiscard]] std::vector<CellId> members(CellId id, Generation evolved) const;
  [[nodiscard]] std::optional<std::int64_t> age(CellId neighbour, Generation needed) const;
  [[nodiscard]] std::vector<CellId> present(CellId id, Generation evolved, Generation needed) const;
  [[nodiscard]] std::vector<CellReport::Age> ages(CellId id) const;
  [[nodiscard]] const Pair& pair(const Cell& cell, CellId member, Generation published) const;
  [[nodiscard]] Subpopulation gather_subpopulation(const Cell& cell, Generation evolved) const;
  std::vector<std::span<const float>> generators(const Cell& cell, Generation published) const;
  [[nodiscard]] const Genome& held_generator(const Cell& cell, CellId member) const;
  std::vector<std::span<const float>> held_generators(const Cell& cell) const;
  Evolution& evolution_of(std::size_t n_cells);
  void expect_needed(CellId id, CellId neighbour);
  [[nodiscard]] bool is_scored(CellId id) const;
  void enter_final_mixture(Cell& cell) const;

  Settings settings;
  grid::Torus torus;
  std::vector<CellId> hosted;
  std::vector<Cell> cells;  // in the order of `hosted`
  Neighbours neighbours;
  Generation generation = 0;  // the last one evolved
  bool is_evaluated = true;
  std::optional<Evolution> whole_group;
  std::optional<Evolution> last_group;  // when the cells do not divide into whole groups
  MixtureScoring scoring;
  std::optional<std::vector<CellId>> scored;  // none: all cells
};

Island::Impl::Impl(const Settings& settings_given, const grid::Torus& torus_given,
                   std::vector<CellId> hosted_ids, const data::Dataset& dataset,
                   metrics::Scorer& scorer, nn::Device& device)
    : settings(settings_given),
      torus(torus_given),
      hosted(std::move(hosted_ids)),
      neighbours(settings),
      scoring(device, settings, dataset, scorer) {
  LIPIZZ_ASSERT(!hosted.empty() && settings.group_size > 0);
  check_fit(settings, dataset);
  for (const CellId id : hosted) cells.push_back(make_cell(settings, id));
  const auto n = static_cast<std::uint32_t>(hosted.size());
  const std::uint32_t group = std::min(settings.group_size, n);
  whole_group.emplace(device, settings, dataset, scorer, group);
  if (n % group != 0) last_group.emplace(device, settings, dataset, scorer, n % group);
}

Cell& Island::Impl::cell(CellId id) {
  const auto found = std::ranges::find(cells, id, &Cell::id);
  if (found == cells.end()) {
    throw InternalError("cell " + std::to_string(id.value) + " is not hosted here");
  }
  return *found;
}

// The neighbourhood in which `evolved` is evolved, the cell first.
std::vector<CellId> Island::Impl::members(CellId id, Generation evolved) const {
  std::vector<CellId> all = settings.neighbourhood.at(evolved).neighbours(torus, id);
  all.insert(all.begin(), id);
  return all;
}

// The age of the copy that an asynchronous exchange has brought; none where it may not be used.
std::optional<std::int64_t> Island::Impl::age(CellId neighbour, Generation needed) const {
  const auto held = neighbours.latest_generation(neighbour);
  if (!held) return std::nullopt;
  const std::int64_t age = std::int64_t{needed} - std::int64_t{*held};
  return age <= std::int64_t{*settings.max_staleness} ? std::optional(age) : std::nullopt;
}

// The members of the neighbourhood of `evolved` that take part with what they published in
// `needed`.
std::vector<CellId> Island::Impl::present(CellId id, Generation evolved, Generation needed) const {
  std::vector<CellId> all = members(id, evolved);
  if (settings.max_staleness) {
    std::erase_if(all, [&](CellId member) { return member != id && !age(member, needed); });
  }
  return all;
}

// The ages of the copies that the generation just evolved was made with.
std::vector<CellReport::Age> Island::Impl::ages(CellId id) const {
  std::vector<CellReport::Age> all;
  if (!settings.max_staleness) return all;
  for (const CellId neighbour : settings.neighbourhood.at(generation).neighbours(torus, id)) {
    all.push_back({neighbour, age(neighbour, generation - 1)});
  }
  return all;
}

const Pair& Island::Impl::pair(const Cell& cell, CellId member, Generation published) const {
  if (member == cell.id) return cell.centre;
  return settings.max_staleness ? neighbours.latest(member) : neighbours.at(member, published);
}

// The cell's centre and its neighbours' as they published them, for another generation.
Subpopulation Island::Impl::gather_subpopulation(const Cell& cell, Generation evolved) const {
  Subpopulation all;
  for (const CellId member : present(cell.id, evolved, evolved - 1)) {
    all.add(member, pair(cell, member, evolved - 1));
  }
  return all;
}

std::vector<std::span<const float>> Island::Impl::generators(const Cell& cell,
                                                             Generation published) const {
  std::vector<std::span<const float>> all;
  for (const CellId member : cell.mixture.cells) {
    all.emplace_back(sampled(pair(cell, member, published).generator));
  }
  return all;
}

// That of the last publication that has come in, whatever its generation.
const Genome& Island::Impl::held_generator(const Cell& cell, CellId member) const {
  return member == cell.id ? cell.centre.generator : neighbours.latest(member).generator;
}

std::vector<std::span<const float>> Island::Impl::held_generators(const Cell& cell) const {
  std::vector<std::span<const float>> all;
  for (const CellId member : cell.mixture.cells) {
    all.emplace_back(sampled(held_generator(cell, member)));
  }
  return all;
}

Evolution& Island::Impl::evolution_of(std::size_t n_cells) {
  return n_cells == std::min<std::size_t>(settings.group_size, cells.size()) ? *whole_group
                                                                             : *last_group;
}

void Island::Impl::enter_final_mixture(Cell& cell) const {
  cell.times = {};
  cell.mixture = with_members(cell.mixture, present(cell.id, generation, generation));
}

bool Island::Impl::is_scored(CellId id) const {
  return !scored || std::ranges::find(*scored, id) != scored->end();
}

Island::Island(const Settings& settings, const grid::Torus& torus, std::vector<CellId> hosted,
               const data::Dataset& dataset, metrics::Scorer& scorer, nn::Device& device)
    : impl_(std::make_unique<Impl>(settings, torus, std::move(hosted), dataset, scorer, device)) {}

Island::~Island() = default;

std::size_t Island::bytes(const Settings& settings, std::size_t n_hosted) {
  return (n_hosted + n_offspring(settings)) * pair_bytes(settings).in_memory();
}

std::size_t Island::offloaded_bytes(const Settings& settings, std::size_t n_hosted) {
  return (n_hosted + n_offspring(settings)) * pair_bytes(settings).offloaded;
}

void Island::resume(std::vector<CellState> states) {
  Impl& i = *impl_;
  const auto fits = [&](const CellState& state, const Cell& cell) {
    return state.id == cell.id && state.generation == states.front().generation &&
           has_shape_of(state.centre, cell.centre);
  };
  if (i.generation != 0 || !std::ranges::equal(states, i.cells, fits)) {
    throw InternalError("expected a state of each hosted cell, all of one generation");
  }
  i.generation = states.front().generation;
  for (std::size_t c = 0; c < states.size(); ++c) {
    static_cast<CellState&>(i.cells[c]) = std::move(states[c]);
    begin_report(i.cells[c], i.generation);
  }
}

std::span<const CellId> Island::hosted() const {
  return impl_->hosted;
}

std::vector<CellId> Island::needs(CellId cell, Generation generation) const {
  return impl_->settings.neighbourhood.at(generation).neighbours(impl_->torus, cell);
}

Bytes Island::publication(CellId cell) const {
  return write_publication(impl_->cell(cell), impl_->settings);
}

// For the next generation, or to finish with those of the last.
void Island::Impl::expect_needed(CellId id, CellId neighbour) {
  const auto is_neighbour = [&](Generation evolved) {
    const std::vector<CellId> all = members(cell(id).id, evolved);
    return neighbour != id && std::ranges::find(all, neighbour) != all.end();
  };
  if (is_evaluated && (is_neighbour(generation + 1) || is_neighbour(generation))) return;
  throw InternalError("cell " + std::to_string(id.value) + " has no use for a publication of " +
                      std::to_string(neighbour.value) + " now");
}

void Island::receive(CellId cell, CellId neighbour, std::span<const std::byte> publication) {
  impl_->expect_needed(cell, neighbour);
  if (impl_->settings.max_staleness) {
    impl_->neighbours.receive_newer(neighbour, publication);
  } else {
    impl_->neighbours.receive(neighbour, impl_->generation, publication);
  }
}

void Island::receive_hosted(CellId cell, CellId neighbour) {
  impl_->expect_needed(cell, neighbour);
  impl_->neighbours.share(neighbour, impl_->generation,
                          published(impl_->cell(neighbour), impl_->settings));
}

void Island::evolve(Generation generation, const std::function<void(CellId)>& on_decided,
                    const std::function<bool()>& keep_going) {
  Impl& i = *impl_;
  if (generation != i.generation + 1 || !i.is_evaluated) {
    throw InternalError("generation " + std::to_string(generation) + " cannot follow " +
                        std::to_string(i.generation));
  }
  if (!i.settings.max_staleness) i.neighbours.drop_before(i.generation);
  for (std::size_t first = 0; first < i.cells.size(); first += i.settings.group_size) {
    std::vector<EvolutionJob> group;
    const std::size_t last = std::min(i.cells.size(), first + i.settings.group_size);
    for (std::size_t c = first; c < last; ++c) {
      Cell& cell = i.cells[c];
      group.push_back({&cell, i.gather_subpopulation(cell, generation)});
      cell.mixture = with_members(cell.mixture, group.back().subpopulation.cells());
    }
    i.evolution_of(group.size()).run(group, generation, on_decided, keep_going);
  }
  i.generation = generation;
  i.is_evaluated = false;
}

std::vector<CellReport> Island::evaluate(Generation generation) {
  Impl& i = *impl_;
  if (generation != i.generation || i.is_evaluated) {
    throw InternalError("generation " + std::to_string(generation) + " was not just evolved");
  }
  std::vector<CellReport> reports;
  for (Cell& cell : i.cells) {
    if (generation % i.settings.score.every == 0 && i.is_scored(cell.id)) {
      i.scoring.score_generation(cell, i.generators(cell, generation - 1), generation);
    }
    reports.push_back(finished_report(cell));
    reports.back().ages = i.ages(cell.id);
  }
  i.is_evaluated = true;
  return reports;
}

std::vector<CellReport> Island::finish() {
  Impl& i = *impl_;
  std::vector<CellReport> reports;
  for (Cell& cell : i.cells) {
    i.enter_final_mixture(cell);
    i.scoring.score_final(cell, i.generators(cell, i.generation), i.generation + 1);
    reports.push_back(finished_report(cell));
  }
  return reports;
}

void Island::weigh_final() {
  Impl& i = *impl_;
  for (Cell& cell : i.cells) {
    i.enter_final_mixture(cell);
    i.scoring.weigh_final(cell, i.generators(cell, i.generation), i.generation + 1);
  }
}

void Island::score_only(std::vector<CellId> cells) {
  impl_->scored = std::move(cells);
}

void Island::narrow(std::span<const CellId> kept) {
  Impl& i = *impl_;
  const auto is_hosted = [&](CellId id) {
    return std::ranges::find(i.hosted, id) != i.hosted.end();
  };
  if (i.settings.group_size != 1 || !i.is_evaluated || !std::ranges::all_of(kept, is_hosted)) {
    throw InternalError("expected cells of this island, between two generations");
  }
  const auto is_let_go = [&](CellId id) { return std::ranges::find(kept, id) == kept.end(); };
  std::erase_if(i.hosted, is_let_go);
  std::erase_if(i.cells, [&](const Cell& cell) { return is_let_go(cell.id); });
}

const CellState& Island::state(CellId cell) const {
  return impl_->cell(cell);
}

std::uint64_t Island::fingerprint(CellId cell) const {
  const Cell& c = impl_->cell(cell);
  Hasher hasher;
  hash(hasher, c.centre.generator);
  hash(hasher, c.centre.discriminator);
  hash(hasher, c.mixture);
  hash(hasher, c.history);
  return hasher.digest();
}

std::vector<float> Island::sample_mixture(CellId cell, std::uint32_t n) {
  const Cell& c = impl_->cell(cell);
  return impl_->scoring.samples(c, impl_->held_generators(c), n);
}

std::vector<Island::MixtureMember> Island::mixture_generators(CellId cell) const {
  const Cell& c = impl_->cell(cell);
  std::vector<MixtureMember> all;
  for (std::size_t i = 0; i < c.mixture.cells.size(); ++i) {
    const CellId member = c.mixture.cells[i];
    all.push_back({member, c.mixture.weights[i], sampled(impl_->held_generator(c, member))});
  }
  return all;
}

MixtureExamples Island::mixture_examples(CellId cell, std::uint32_t n) {
  const Cell& c = impl_->cell(cell);
  return impl_->scoring.examples(c, impl_->held_generators(c), n);
}

}  // namespace lipizz::coev
