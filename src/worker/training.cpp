#include "worker/training.hpp"

#include <utility>

namespace lipizz::worker {

Training::Training(coev::Island& island, Exchange& exchange, StatusBoard& status,
                   Generation generations, const Clock& clock, Hooks hooks)
    : island_(island),
      exchange_(exchange),
      status_(status),
      generations_(generations),
      clock_(clock),
      hooks_(std::move(hooks)) {}

std::vector<coev::CellReport> Training::run() {
  const double start_s = clock_.now_s();
  const Generation start = island_.state(island_.hosted().front()).generation;
  for (const CellId cell : island_.hosted()) publish(cell, start);
  for (Generation generation = start + 1; generation <= generations_; ++generation) {
    evolve(generation);
  }
  auto reports = finish();
  const double total_s = clock_.now_s() - start_s;
  const auto n_hosted = static_cast<double>(island_.hosted().size());
  for (const CellId cell : island_.hosted()) profiles_[cell].add("total", total_s / n_hosted);
  return reports;
}

void Training::evolve(Generation generation) {
  status_.begin(generation);
  if (hooks_.must_hold(generation - 1)) hooks_.hold(generation - 1);
  std::map<CellId, double> gather_s;
  for (const CellId cell : island_.hosted()) gather_s[cell] = gather(cell, generation);
  island_.evolve(
      generation, [&](CellId cell) { publish(cell, generation); }, hooks_.keep_going);
  for (const coev::CellReport& report : island_.evaluate(generation)) {
    add_profile(report);
    hooks_.on_report(report, gather_s.at(report.cell));
  }
  hooks_.after_generation(generation);
}

double Training::gather(CellId cell, Generation generation) {
  telemetry::Profile gathered;
  {
    const telemetry::Span span(gathered, "gather", clock_);
    // The last publications are read by those who trained together last.
    for (const CellId neighbour : island_.needs(cell, std::min(generation, generations_))) {
      const Publication publication = publication_for(cell, neighbour, generation - 1);
      if (publication) island_.receive(cell, neighbour, *publication);
    }
  }
  const double seconds = gathered.seconds("gather");
  profiles_[cell].add("gather", seconds);
  return seconds;
}

// Nothing only where there is none yet and nobody waits for it.
Publication Training::publication_for(CellId cell, CellId neighbour, Generation generation) {
  return exchange_.is_asynchronous() ? exchange_.newest(cell, neighbour)
                                     : await(cell, neighbour, generation);
}

// What is awaited belongs to the generation at whose end this worker stands, so it can hold here.
Publication Training::await(CellId cell, CellId neighbour, Generation generation) {
  const auto must_hold = [&] { return hooks_.must_hold(generation); };
  for (;;) {
    if (auto publication = exchange_.take(cell, neighbour, generation, must_hold)) {
      return publication;
    }
    hooks_.hold(generation);
  }
}

void Training::publish(CellId cell, Generation generation) {
  exchange_.publish(cell, generation, island_.publication(cell));
}

void Training::add_profile(const coev::CellReport& report) {
  for (const auto& [name, seconds] : report.profile) profiles_[report.cell].add(name, seconds);
}

std::vector<coev::CellReport> Training::finish() {
  if (hooks_.must_hold(generations_)) hooks_.hold(generations_);
  for (const CellId cell : island_.hosted()) gather(cell, generations_ + 1);
  auto reports = island_.finish();
  for (const coev::CellReport& report : reports) add_profile(report);
  return reports;
}

}  // namespace lipizz::worker
