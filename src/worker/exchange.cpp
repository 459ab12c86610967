#include "worker/exchange.hpp"

#include <algorithm>
#include <string>

#include "coev/island.hpp"
#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::worker {
namespace {

std::uint32_t index_of(CellId cell, const std::vector<CellId>& cells) {
  return static_cast<std::uint32_t>(std::ranges::find(cells, cell) - cells.begin());
}

}  // namespace

Exchange::Exchange(Send send) : send_(std::move(send)) {}

void Exchange::begin(Routes routes) {
  traffic_.clear();
  const std::scoped_lock lock(mutex_);
  routes_ = std::move(routes);
  inbox_.clear();
  newest_.clear();
  for (auto& [header, publication] : std::exchange(early_, {})) {
    accept(header, std::move(publication));
  }
}

// Neighbourhoods are symmetric, so those who read a cell are those whom it reads.
std::vector<CellId> Exchange::neighbours_reading(CellId cell, Generation publication) const {
  const Generation reading = std::min(publication + 1, routes_->last_generation);
  return routes_->schedule.at(reading).neighbours(routes_->torus, cell);
}

bool Exchange::is_local(CellId cell) const {
  return routes_->rank_of_cell[cell.value] == routes_->self;
}

void Exchange::publish(CellId source, Generation generation, const std::function<Bytes()>& made) {
  Traffic& traffic = traffic_[source];
  const std::vector<comm::Reader> readers = readers_elsewhere(source, generation);
  if (readers.empty()) return;
  const auto publication = std::make_shared<const Bytes>(made());
  send_(readers, publication);
  traffic.messages += readers.size();
  traffic.bytes += readers.size() * (sizeof(comm::PublicationHeader) + publication->size());
}

std::vector<comm::Reader> Exchange::readers_elsewhere(CellId source, Generation generation) const {
  std::vector<comm::Reader> readers;
  for (const CellId reader : neighbours_reading(source, generation)) {
    if (is_local(reader)) continue;
    const auto direction = index_of(source, neighbours_reading(reader, generation));
    readers.push_back({.rank = routes_->rank_of_cell[reader.value],
                       .header = {.source = source,
                                  .destination = reader,
                                  .incarnation = routes_->incarnation,
                                  .generation = generation,
                                  .direction = direction}});
  }
  return readers;
}

Publication Exchange::take(CellId reader, CellId neighbour, Generation generation) {
  LIPIZZ_ASSERT(!is_local(neighbour));
  const Address address{reader, neighbour, generation};
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return is_interrupted() || inbox_.contains(address); });
  if (is_interrupted()) throw coev::Interrupted();
  return std::move(inbox_.extract(address).mapped());
}

Publication Exchange::newest(CellId reader, CellId neighbour) {
  LIPIZZ_ASSERT(!is_local(neighbour));
  const std::scoped_lock lock(mutex_);
  if (is_interrupted()) throw coev::Interrupted();
  const auto found = newest_.find({reader, neighbour});
  return found == newest_.end() ? nullptr : found->second.publication;
}

void Exchange::keep_if_newer(CellId reader, CellId neighbour, Kept arrived) {
  const auto [kept, is_first] = newest_.try_emplace({reader, neighbour}, arrived);
  if (!is_first && arrived.generation > kept->second.generation) kept->second = std::move(arrived);
}

void Exchange::deliver(const comm::PublicationHeader& header, Bytes publication) {
  const std::scoped_lock lock(mutex_);
  accept(header, std::move(publication));
  arrived_.notify_all();
}

void Exchange::accept(const comm::PublicationHeader& header, Bytes publication) {
  const std::uint32_t begun = routes_ ? routes_->incarnation : 0;
  if (header.incarnation < begun) return;
  if (header.incarnation > begun) {
    early_.emplace_back(header, std::move(publication));
    return;
  }
  if (!makes_sense(header)) {
    throw CommError("cell " + std::to_string(header.source.value) + " sent publication " +
                    std::to_string(header.generation) + " to cell " +
                    std::to_string(header.destination.value) + " on rank " +
                    std::to_string(routes_->self.value) + " from side " +
                    std::to_string(header.direction) + ", where it is no neighbour");
  }
  auto arrived = std::make_shared<const Bytes>(std::move(publication));
  if (routes_->is_asynchronous) {
    keep_if_newer(header.destination, header.source, {header.generation, std::move(arrived)});
  } else {
    inbox_.insert_or_assign({header.destination, header.source, header.generation},
                            std::move(arrived));
  }
}

bool Exchange::makes_sense(const comm::PublicationHeader& header) const {
  const CellId reader = header.destination;
  if (reader.value >= routes_->torus.cells() || !is_local(reader)) return false;
  if (header.generation > routes_->last_generation) return false;
  const auto neighbours = neighbours_reading(reader, header.generation);
  return header.direction < neighbours.size() && neighbours[header.direction] == header.source;
}

void Exchange::interrupt(std::uint32_t incarnation) {
  const std::scoped_lock lock(mutex_);
  interrupted_before_ = std::max(interrupted_before_, incarnation);
  arrived_.notify_all();
}

Exchange::Traffic Exchange::traffic(CellId source) const {
  return traffic_.at(source);
}

std::size_t Exchange::bytes(std::size_t publication_bytes, std::size_t n_read_elsewhere,
                            std::size_t n_neighbours_elsewhere) {
  return (2 * n_read_elsewhere + n_neighbours_elsewhere) * publication_bytes;
}

}  // namespace lipizz::worker
