#include "nn/graph/pipeline_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace lipizz::nn::pipeline_schedule_test {
namespace {

using Tasks = std::vector<PipelineTask>;

struct Part {
  std::uint32_t stage;
  std::uint64_t cost;
};

// Micro-batches that go the same way, each task after the one before.
Tasks tasks_of(const std::vector<Part>& way, std::uint32_t n_micro_batches) {
  Tasks tasks;
  for (std::uint32_t m = 0; m < n_micro_batches; ++m) {
    for (std::size_t i = 0; i < way.size(); ++i) {
      PipelineTask task{.stage = way[i].stage, .micro_batch = m, .cost = way[i].cost};
      if (i > 0) task.after = {static_cast<std::uint32_t>(tasks.size() - 1)};
      tasks.push_back(task);
    }
  }
  return tasks;
}

// Through the stages there and back, so many times.
Tasks there_and_back(std::uint32_t n_stages, std::uint32_t n_micro_batches,
                     std::uint64_t cost_back = 2, std::uint32_t n_times = 1) {
  std::vector<Part> way;
  for (std::uint32_t time = 0; time < n_times; ++time) {
    for (std::uint32_t stage = 0; stage < n_stages; ++stage) way.push_back({stage, 1});
  }
  for (std::uint32_t time = 0; time < n_times; ++time) {
    for (std::uint32_t stage = n_stages; stage-- > 0;) way.push_back({stage, cost_back});
  }
  return tasks_of(way, n_micro_batches);
}

// How many micro-batches have been forward at a stage, and not yet back, at most.
std::uint32_t most_live(const Tasks& tasks, const PipelineOrder& order, std::uint32_t stage) {
  std::vector<std::uint32_t> seen(tasks.size());  // by micro-batch
  std::uint32_t n_live = 0;
  std::uint32_t most = 0;
  for (const std::uint32_t task : order.tasks) {
    if (tasks[task].stage != stage) continue;
    n_live += seen[tasks[task].micro_batch]++ == 0 ? 1 : -1;
    most = std::max(most, n_live);
  }
  return most;
}

TEST(PipelineSchedule, every_task_begins_once_and_after_those_that_it_waits_for) {
  for (const auto schedule : {PipelineSchedule::kGpipe, PipelineSchedule::k1F1B}) {
    for (const std::uint32_t n_times : {1U, 2U, 3U}) {
      const Tasks tasks = there_and_back(3, 7, 2, n_times);
      const PipelineOrder order = pipeline_order(tasks, 3, schedule);
      ASSERT_EQ(order.tasks.size(), tasks.size());
      std::vector<bool> has_begun(tasks.size());
      for (const std::uint32_t task : order.tasks) {
        EXPECT_FALSE(has_begun[task]);
        has_begun[task] = true;
        for (const std::uint32_t before : tasks[task].after) EXPECT_TRUE(has_begun[before]);
      }
    }
  }
}

// Stages take equally long here.
TEST(PipelineSchedule, pp2_the_bubble_is_that_of_the_formula) {
  for (const std::uint32_t n_stages : {2U, 3U, 4U, 8U}) {
    for (const std::uint32_t m : {1U, 2U, 4U, 6U, 8U, 32U}) {
      for (const std::uint64_t cost_back : {1U, 2U}) {
        const Tasks tasks = there_and_back(n_stages, m, cost_back);
        const double formula = (n_stages - 1.0) / (m + n_stages - 1.0);
        for (const auto schedule : {PipelineSchedule::kGpipe, PipelineSchedule::k1F1B}) {
          const PipelineOrder order = pipeline_order(tasks, n_stages, schedule);
          EXPECT_NEAR(bubble_of(tasks, n_stages, order), formula, 0.15 * formula + 1e-12)
              << n_stages << " stages, " << m << " micro-batches";
        }
      }
    }
  }
}

TEST(PipelineSchedule, pp3_1f1b_holds_fewer_micro_batches_than_gpipe) {
  constexpr std::uint32_t kStages = 4;
  constexpr std::uint32_t kMicroBatches = 9;
  const Tasks tasks = there_and_back(kStages, kMicroBatches);
  const PipelineOrder gpipe = pipeline_order(tasks, kStages, PipelineSchedule::kGpipe);
  const PipelineOrder f1b1 = pipeline_order(tasks, kStages, PipelineSchedule::k1F1B);
  for (std::uint32_t stage = 0; stage + 1 < kStages; ++stage) {
    EXPECT_EQ(most_live(tasks, gpipe, stage), kMicroBatches) << stage;
    EXPECT_EQ(most_live(tasks, f1b1, stage), kStages - stage) << stage;
  }
  EXPECT_EQ(most_live(tasks, f1b1, kStages - 1), 1U);
}

// A generator's gradients come through the discriminator: all stages twice.
TEST(PipelineSchedule, a_longer_way_keeps_stages_as_busy) {
  constexpr std::uint32_t kStages = 4;
  for (const auto schedule : {PipelineSchedule::kGpipe, PipelineSchedule::k1F1B}) {
    const Tasks tasks = there_and_back(kStages, 32, 2, 2);
    const PipelineOrder order = pipeline_order(tasks, kStages, schedule);
    EXPECT_LT(bubble_of(tasks, kStages, order), 0.15);
  }
}

// A discriminator's step: samples come from the generator's stages, whose gradients nobody asks
// for. The stage with most to do waits for no longer than the longest task of the other one.
TEST(PipelineSchedule, a_stage_does_not_wait_for_what_another_one_has_put_off) {
  constexpr std::uint32_t kMicroBatches = 8;
  const Tasks tasks = tasks_of({{0, 5}, {1, 10}, {0, 19}, {1, 28}, {0, 38}}, kMicroBatches);
  const PipelineOrder order = pipeline_order(tasks, 2, PipelineSchedule::k1F1B);
  EXPECT_LE(order.length, (5 + 19 + 38) * kMicroBatches + 28);
}

TEST(PipelineSchedule, of_nothing_there_is_no_bubble) {
  const PipelineOrder order = pipeline_order({}, 2, PipelineSchedule::k1F1B);
  EXPECT_TRUE(order.tasks.empty());
  EXPECT_EQ(bubble_of({}, 2, order), 0);
}

}  // namespace
}  // namespace lipizz::nn::pipeline_schedule_test
