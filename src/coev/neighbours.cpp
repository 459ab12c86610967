#include "coev/neighbours.hpp"

#include <string>
#include <utility>

#include "coev/publication.hpp"
#include "core/error.hpp"

namespace lipizz::coev {
Neighbours::Neighbours(const Settings& settings) : shapes_(genome_shapes(settings)) {}

void Neighbours::receive(CellId source, Generation generation,
                         std::span<const std::byte> publication) {
  expect_title(publication, {source, generation});
  Snapshot& snapshot = snapshots_[source];
  const bool is_known = snapshot.is_complete && snapshot.generation == generation;
  if (is_known && snapshot.n_bytes == publication.size()) return;
  snapshot.is_complete = false;
  read_publication(publication, shapes_, snapshot.pair);
  snapshot.generation = generation;
  snapshot.n_bytes = publication.size();
  snapshot.is_complete = true;
}

void Neighbours::share(CellId source, Generation generation, Pair published) {
  snapshots_[source] = {generation, true, 0, std::move(published)};
}

void Neighbours::receive_newer(CellId source, std::span<const std::byte> publication) {
  const Generation generation = read_title(publication).generation;
  const auto held = latest_generation(source);
  if (!held || generation >= *held) receive(source, generation, publication);
}

const Pair& Neighbours::at(CellId source, Generation generation) const {
  const Snapshot* snapshot = find(source);
  if (snapshot == nullptr || snapshot->generation != generation) {
    throw InternalError(to_string({source, generation}) + " is needed, but was not received");
  }
  return snapshot->pair;
}

const Pair& Neighbours::latest(CellId source) const {
  const Snapshot* snapshot = find(source);
  if (snapshot == nullptr) {
    throw InternalError("nothing of cell " + std::to_string(source.value) + " was received");
  }
  return snapshot->pair;
}

std::optional<Generation> Neighbours::latest_generation(CellId source) const {
  const Snapshot* snapshot = find(source);
  return snapshot == nullptr ? std::nullopt : std::optional(snapshot->generation);
}

void Neighbours::drop_before(Generation generation) {
  std::erase_if(snapshots_,
                [&](const auto& entry) { return entry.second.generation < generation; });
}

const Neighbours::Snapshot* Neighbours::find(CellId source) const {
  const auto found = snapshots_.find(source);
  return found == snapshots_.end() || !found->second.is_complete ? nullptr : &found->second;
}

std::size_t Neighbours::bytes(const Settings& settings, std::size_t n_neighbours) {
  return n_neighbours * publication_bytes(settings) - offloaded_bytes(settings, n_neighbours);
}

std::size_t Neighbours::offloaded_bytes(const Settings& settings, std::size_t n_neighbours) {
  const bool travel = settings.operators.migration->moments == Moments::kTravel;
  return travel ? n_neighbours * pair_bytes(settings).offloaded : 0;
}

}  // namespace lipizz::coev
