#include "worker/training_loop.hpp"

#include <utility>

namespace lipizz::worker {
namespace {

class NoMessagesExpected {
 public:
  explicit NoMessagesExpected(const std::function<void(bool)>& expect_messages)
      : expect_messages_(expect_messages) {
    expect_messages_(false);
  }
  NoMessagesExpected(const NoMessagesExpected&) = delete;
  NoMessagesExpected& operator=(const NoMessagesExpected&) = delete;
  ~NoMessagesExpected() { expect_messages_(true); }

 private:
  const std::function<void(bool)>& expect_messages_;
};

}  // namespace

TrainingLoop::TrainingLoop(coev::Island& island, Exchange& exchange, StatusBoard& status,
                           Generation generations, const Clock& clock, Hooks hooks)
    : island_(island),
      exchange_(exchange),
      status_(status),
      generations_(generations),
      clock_(clock),
      hooks_(std::move(hooks)) {}

std::vector<coev::CellReport> TrainingLoop::run() {
  const double start_s = clock_.now_s();
  const double cpu_start_s = thread_cpu_s();
  const double waited_before_s = hooks_.waited_for_helpers_s();
  const Generation start = island_.state(island_.hosted().front()).generation;
  for (const CellId cell : island_.hosted()) publish(cell, start);
  for (Generation generation = start + 1; generation <= generations_; ++generation) {
    evolve(generation);
  }
  auto reports = finish();
  const auto n_hosted = static_cast<double>(island_.hosted().size());
  const double wall_s = (clock_.now_s() - start_s) / n_hosted;
  const double cpu_s = (thread_cpu_s() - cpu_start_s) / n_hosted;
  const double waited_s = (hooks_.waited_for_helpers_s() - waited_before_s) / n_hosted;
  for (const CellId cell : island_.hosted()) {
    seconds_[cell].wall.add("helpers", waited_s);
    seconds_[cell].wall.add("total", wall_s);
    seconds_[cell].cpu.add("total", cpu_s);
  }
  return reports;
}

void TrainingLoop::evolve(Generation generation) {
  status_.begin(generation);
  std::map<CellId, double> gather_s;
  for (const CellId cell : island_.hosted()) gather_s[cell] = gather(cell, generation);
  const double start_s = clock_.now_s();
  {
    const NoMessagesExpected while_cells_evolve(hooks_.expect_messages);
    island_.evolve(
        generation, [&](CellId cell) { publish(cell, generation); }, hooks_.keep_going);
  }
  std::vector<Evaluated> evaluated;
  std::vector<coev::CellReport> reports = island_.evaluate(generation);
  const double work_s = (clock_.now_s() - start_s) / static_cast<double>(reports.size());
  for (coev::CellReport& report : reports) {
    add_seconds(report);
    const double waited_s = gather_s.at(report.cell);
    evaluated.push_back({std::move(report), waited_s, work_s});
  }
  hooks_.after_generation(generation, evaluated);
}

double TrainingLoop::gather(CellId cell, Generation generation) {
  telemetry::Profile gathered;
  {
    const telemetry::Span span(gathered, "gather", clock_);
    // The last publications are read by those who trained together last.
    for (const CellId neighbour : island_.needs(cell, std::min(generation, generations_))) {
      receive(cell, neighbour, generation - 1);
    }
  }
  const double seconds = gathered.seconds("gather");
  seconds_[cell].wall.add("gather", seconds);
  return seconds;
}

void TrainingLoop::receive(CellId cell, CellId neighbour, Generation generation) {
  if (exchange_.is_local(neighbour)) return island_.receive_hosted(cell, neighbour);
  // Nothing only where there is none yet and nobody waits for it.
  const Publication publication = exchange_.is_asynchronous()
                                      ? exchange_.newest(cell, neighbour)
                                      : exchange_.take(cell, neighbour, generation);
  if (publication) island_.receive(cell, neighbour, *publication);
}

void TrainingLoop::publish(CellId cell, Generation generation) {
  exchange_.publish(cell, generation, [&] { return island_.publication(cell); });
}

void TrainingLoop::add_seconds(const coev::CellReport& report) {
  for (const auto& [name, seconds] : report.profile) seconds_[report.cell].cpu.add(name, seconds);
}

std::vector<coev::CellReport> TrainingLoop::finish() {
  for (const CellId cell : island_.hosted()) gather(cell, generations_ + 1);
  auto reports = island_.finish();
  for (const coev::CellReport& report : reports) add_seconds(report);
  return reports;
}

}  // namespace lipizz::worker
