#include "nn/graph/pipeline_schedule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/check.hpp"

namespace lipizz::nn {
namespace {

using Numbers = std::vector<std::uint32_t>;  // of tasks

// How many micro-batches may be between two of a stage's tasks of the same micro-batch, there and
// back: as many as keep the tasks between these busy. They enter in order, since later ones wait
// for earlier ones where they add up gradients.
struct Gate {
  std::size_t n_most = 0;
  Numbers micro_batches{};
  std::size_t n_entered = 0;
  std::size_t n_left = 0;

  [[nodiscard]] bool lets_in(std::uint32_t micro_batch) const {
    return n_entered < n_left + n_most && micro_batches[n_entered] == micro_batch;
  }
};

// Which gate a task lets its micro-batch in at, and which ones it lets it out of.
struct Gates {
  std::vector<Gate> all;
  std::vector<std::optional<std::size_t>> entered;  // by task
  std::vector<std::vector<std::size_t>> left;       // by task

  // The first half of a stage's tasks of a micro-batch leads into gates; the others, the last ones
  // first, lead out of them.
  explicit Gates(std::span<const PipelineTask> tasks) : entered(tasks.size()), left(tasks.size()) {
    std::map<std::uint32_t, Numbers> ways;
    for (std::uint32_t i = 0; i < tasks.size(); ++i) ways[tasks[i].micro_batch].push_back(i);
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> known;  // by stage and turn
    for (const auto& [micro_batch, way] : ways) {
      std::map<std::uint32_t, std::vector<std::size_t>> places;  // of each stage, on the way
      for (std::size_t i = 0; i < way.size(); ++i) places[tasks[way[i]].stage].push_back(i);
      for (const auto& [stage, of_stage] : places) {
        for (std::size_t turn = 0; turn < (of_stage.size() + 1) / 2; ++turn) {
          const std::size_t first = of_stage[turn];
          const std::size_t back = std::max(of_stage.size() - 1 - turn, turn + 1);
          if (back >= of_stage.size()) continue;
          const auto [gate, is_new] = known.try_emplace({stage, turn}, all.size());
          if (is_new) all.push_back({(of_stage[back] - first + 2) / 2});
          all[gate->second].micro_batches.push_back(micro_batch);
          entered[way[first]] = gate->second;
          left[way[of_stage[back]]].push_back(gate->second);
        }
      }
    }
  }
};

// All stages at work, from one task's end to the next.
class Timetable {
 public:
  Timetable(std::span<const PipelineTask> tasks, std::uint32_t n_stages, PipelineSchedule schedule)
      : tasks_(tasks),
        schedule_(schedule),
        gates_(tasks),
        n_waits_(tasks.size()),
        followers_(tasks.size()),
        place_(tasks.size()),
        ready_(n_stages),
        running_(n_stages) {
    std::map<std::uint32_t, std::uint32_t> n_of;  // tasks of each micro-batch
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      for (const std::uint32_t before : tasks[i].after) followers_[before].push_back(i);
      n_waits_[i] = tasks[i].after.size();
      place_[i] = n_of[tasks[i].micro_batch]++;
      if (n_waits_[i] == 0) ready_[tasks[i].stage].push_back(i);
    }
  }

  PipelineOrder order() {
    PipelineOrder order;
    while (order.tasks.size() < tasks_.size()) {
      for (std::uint32_t stage = 0; stage < running_.size(); ++stage) begin_at(stage, order.tasks);
      end_next();
    }
    while (n_running() > 0) end_next();
    order.length = now_;
    return order;
  }

 private:
  struct Running {
    std::uint32_t task;
    std::uint64_t end;
  };

  [[nodiscard]] bool may_begin(std::uint32_t task) const {
    if (schedule_ == PipelineSchedule::kGpipe || !gates_.entered[task]) return true;
    return gates_.all[*gates_.entered[task]].lets_in(tasks_[task].micro_batch);
  }

  // True where the first of two that wait for nothing is taken before the other.
  [[nodiscard]] bool is_first(std::uint32_t a, std::uint32_t b) const {
    if (place_[a] != place_[b]) return place_[a] < place_[b];
    return tasks_[a].micro_batch < tasks_[b].micro_batch;
  }

  void begin_at(std::uint32_t stage, Numbers& begun) {
    if (running_[stage]) return;
    Numbers& ready = ready_[stage];
    auto chosen = ready.end();
    for (auto i = ready.begin(); i != ready.end(); ++i) {
      if (may_begin(*i) && (chosen == ready.end() || is_first(*i, *chosen))) chosen = i;
    }
    if (chosen == ready.end()) return;
    const std::uint32_t task = *chosen;
    ready.erase(chosen);
    if (gates_.entered[task]) ++gates_.all[*gates_.entered[task]].n_entered;
    running_[stage] = Running{task, now_ + tasks_[task].cost};
    begun.push_back(task);
  }

  // All that end at the time at which the next one ends.
  void end_next() {
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    for (const auto& running : running_) {
      if (running) next = std::min(next, running->end);
    }
    LIPIZZ_ASSERT(n_running() > 0);
    now_ = next;
    for (auto& running : running_) {
      if (!running || running->end != now_) continue;
      const std::uint32_t task = running->task;
      running.reset();
      for (const std::size_t gate : gates_.left[task]) ++gates_.all[gate].n_left;
      for (const std::uint32_t follower : followers_[task]) {
        if (--n_waits_[follower] == 0) ready_[tasks_[follower].stage].push_back(follower);
      }
    }
  }

  [[nodiscard]] std::ptrdiff_t n_running() const {
    return std::ranges::count_if(running_, [](const auto& running) { return running.has_value(); });
  }

  std::span<const PipelineTask> tasks_;
  PipelineSchedule schedule_;
  Gates gates_;
  std::vector<std::size_t> n_waits_;  // of each task: those that it waits for still
  std::vector<Numbers> followers_;
  Numbers place_;                                // of each task, on its micro-batch's way
  std::vector<Numbers> ready_;                   // of each stage
  std::vector<std::optional<Running>> running_;  // on each stage
  std::uint64_t now_ = 0;
};

}  // namespace

PipelineOrder pipeline_order(std::span<const PipelineTask> tasks, std::uint32_t n_stages,
                             PipelineSchedule schedule) {
  return Timetable(tasks, n_stages, schedule).order();
}

double bubble_of(std::span<const PipelineTask> tasks, std::uint32_t n_stages,
                 const PipelineOrder& order) {
  if (order.length == 0) return 0;
  double busy = 0;
  for (const PipelineTask& task : tasks) busy += static_cast<double>(task.cost);
  return 1 - busy / (static_cast<double>(order.length) * n_stages);
}

}  // namespace lipizz::nn
