#include "nn/graph/pipeline_stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/gan_training.hpp"
#include "nn/graph/memory_plan.hpp"
#include "nn/graph/operation.hpp"
#include "nn/graph/operations.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn::pipeline_stage_test {
namespace {

namespace training = testing::gan_training;

// A stage of so many.
struct At {
  At(std::uint32_t stage, std::uint32_t n_stages, PipelineSchedule schedule = {})
      : stages(n_stages, stage), pipeline{&stages, &alone, schedule} {}
  NoRanks stages;
  NoRanks alone{1};
  Pipeline pipeline;
};

int count(const Graph& graph, const Operation& operation) {
  int n = 0;
  for (const ValueId value : graph.live_operations())
    n += graph.node(value).operation == &operation;
  return n;
}

// relu(x) + r at stage 0, its square at stage 1, where r, and the sum of all, are remade.
struct Example {
  Example() {
    const SlotId x = graph.add_slot("x", 4, Slot::Access::kRead);
    const SlotId numbers = graph.add_slot("numbers", Draw::kSize, Slot::Access::kSetting);
    out = graph.add_slot("out", 4, Slot::Access::kReadWrite);
    between = graph.add_slot("between", 100, Slot::Access::kInternal);
    graph.set_branch(1);
    const ValueId r =
        graph.apply(kUniforms, {graph.view(numbers, 0, {Draw::kSize})}, {.shape = {4}});
    const ValueId y = graph.apply(kAdd, {graph.view(x, 0, {4}), r});
    graph.place(y, between, 40);
    graph.set_stage(1);
    const ValueId first = graph.apply(kAdd, {graph.view(between, 40, {2}), graph.slice(r, 0, {2})});
    graph.place(first, out, 0);
    const ValueId second =
        graph.apply(kAdd, {graph.view(between, 42, {2}), graph.slice(r, 2, {2})});
    graph.place(second, out, 2);
  }
  Graph graph;
  SlotId out{}, between{};
};

TEST(PipelineStage, has_its_own_operations_and_what_goes_to_others) {
  const Example example;
  At first(0, 2);
  At second(1, 2);
  const Graph sends = pipeline_stage(example.graph, first.pipeline).graph;
  const Graph receives = pipeline_stage(example.graph, second.pipeline).graph;
  EXPECT_EQ(count(sends, kAdd), 1);
  EXPECT_EQ(count(sends, kUniforms), 1);
  EXPECT_EQ(count(sends, kSend), 2);  // the parts that are read
  EXPECT_EQ(count(sends, kReceive), 0);
  EXPECT_EQ(count(receives, kAdd), 2);
  EXPECT_EQ(count(receives, kUniforms), 1);
  EXPECT_EQ(count(receives, kReceive), 2);
  EXPECT_EQ(receives.slots()[example.between.index].n_elements, 4U);
  EXPECT_EQ(receives.slots()[example.out.index].n_elements, 4U);
}

// Runs all stages' messages: whoever waits for one has it in time, in the order in which they were
// sent.
void expect_to_end(const std::vector<Graph>& stages) {
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::size_t>> under_way;
  std::vector<std::size_t> done(stages.size());
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const std::vector<ValueId> live = stages[stage].live_operations();
      for (; done[stage] < live.size(); ++done[stage]) {
        const Node& node = stages[stage].node(live[done[stage]]);
        const std::size_t other = node.attributes.offset;
        if (node.operation == &kSend) {
          under_way[{stage, other}].push_back(n_elements(stages[stage].shape(node.inputs[0])));
        } else if (node.operation == &kReceive) {
          auto& arriving = under_way[{other, stage}];
          if (arriving.empty()) break;
          ASSERT_EQ(arriving.front(), n_elements(node.shape));
          arriving.pop_front();
        }
        has_moved = true;
      }
    }
  }
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    EXPECT_EQ(done[stage], stages[stage].live_operations().size()) << stage << " waits for ever";
  }
  for (const auto& [way, left] : under_way) EXPECT_TRUE(left.empty());
}

// A stage looks at those parts of networks alone that it holds.
void expect_to_look_at(const StepGraph& step) {
  const auto views = step.graph.slot_views();
  const SlotId average = step.average.value_or(step.parameters);
  for (const auto& [slot, held] :
       {std::pair(step.parameters, step.stage.trained), std::pair(average, step.stage.trained),
        std::pair(*step.opponent, step.stage.opponent)}) {
    for (const Graph::SlotView& view : views[slot.index]) {
      const std::size_t end = view.offset + n_elements(step.graph.shape({view.node}));
      EXPECT_TRUE(std::ranges::any_of(
          held, [&](const Shard& part) { return view.offset >= part.first && end <= part.end(); }));
    }
  }
}

struct Steps {
  std::vector<Graph> stages;
  double bubble = 0;
};

Steps steps_of(const training::Training& how, bool is_generator, std::uint32_t n_stages,
               PipelineSchedule schedule, const SampleSource& source) {
  Steps steps;
  for (std::uint32_t stage = 0; stage < n_stages; ++stage) {
    At at(stage, n_stages, schedule);
    const StepForm form{.source = &source, .pipeline = &at.pipeline};
    StepGraph step =
        is_generator
            ? generator_step_graph(how.gan, how.optimizer, how.batch, how.options, form)
            : discriminator_step_graph(how.gan, how.optimizer, how.batch, how.options, form);
    steps.bubble = step.stage.bubble;
    expect_to_look_at(step);
    steps.stages.push_back(std::move(step.graph));
  }
  return steps;
}

// A part that is written twice at one stage and read after each time at another.
TEST(PipelineStage, what_is_received_is_read_before_it_is_received_anew) {
  Graph graph;
  const SlotId x = graph.add_slot("x", 4, Slot::Access::kRead);
  const SlotId out = graph.add_slot("out", 8, Slot::Access::kReadWrite);
  const SlotId between = graph.add_slot("between", 4, Slot::Access::kInternal);
  for (std::uint32_t micro_batch = 0; micro_batch < 2; ++micro_batch) {
    graph.set_branch(1 + micro_batch);
    graph.set_stage(0);
    const ValueId in = graph.view(x, 0, {4});
    graph.place(graph.apply(kAdd, {in, in}), between, 0);
    graph.set_stage(1);
    const ValueId read = graph.view(between, 0, {4});
    graph.place(graph.apply(kAdd, {read, read}), out, std::size_t{4} * micro_batch);
  }
  for (const auto schedule : {PipelineSchedule::kGpipe, PipelineSchedule::k1F1B}) {
    At second(1, 2, schedule);
    std::vector<const Operation*> found;
    const Graph stage = pipeline_stage(graph, second.pipeline).graph;
    for (const ValueId value : stage.live_operations()) {
      found.push_back(stage.node(value).operation);
    }
    EXPECT_EQ(found, (std::vector<const Operation*>{&kReceive, &kAdd, &kReceive, &kAdd}));
  }
}

TEST(PipelineStage, stages_of_all_steps_agree_about_what_they_send) {
  for (training::Training how : training::with_options()) {
    how.options.n_micro_batches = how.batch = 4;
    how.optimizer.clip_norm = 1;
    const testing::DrawnSamples source = training::samples_for(how.gan);
    for (const auto schedule : {PipelineSchedule::kGpipe, PipelineSchedule::k1F1B}) {
      for (const bool is_generator : {true, false}) {
        for (const std::uint32_t n_stages : {2U, 3U, 5U}) {
          expect_to_end(steps_of(how, is_generator, n_stages, schedule, source).stages);
        }
      }
    }
  }
}

// Each stage does its part of the work, and what is sent are values between layers.
TEST(PipelineStage, stages_share_the_work_out) {
  training::Training how{make_model("dcgan28"), 32, {.n_micro_batches = 8}};
  const testing::DrawnSamples source = training::samples_for(how.gan);
  const StepForm alone{.source = &source};
  const std::uint64_t whole =
      generator_step_graph(how.gan, {}, how.batch, how.options, alone).graph.flops();
  std::uint64_t sum = 0;
  const Steps steps = steps_of(how, true, 2, PipelineSchedule::k1F1B, source);
  for (const Graph& stage : steps.stages) {
    sum += stage.flops();
    EXPECT_LT(static_cast<double>(stage.flops()), 0.75 * static_cast<double>(whole));
  }
  EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(whole),
              0.01 * static_cast<double>(whole));
  EXPECT_GT(steps.bubble, 0.02);
  EXPECT_LT(steps.bubble, 0.5);
}

// PP-3: a stage holds the values of fewer micro-batches with 1F1B, and gpipe those of all.
TEST(PipelineStage, pp3_a_stage_holds_the_values_of_as_many_micro_batches_as_its_schedule_says) {
  GanSpec deep{{{8}, {}}, {{64}, {}}};
  for (int layer = 0; layer < 7; ++layer) deep.discriminator.layers.push_back({64});
  deep.discriminator.layers.push_back({1});
  deep.generator.layers.push_back({64});
  const auto values_at = [&](std::uint32_t stage, PipelineSchedule schedule,
                             std::uint32_t n_micro_batches) {
    const training::Training how{deep, 32 * n_micro_batches, {.n_micro_batches = n_micro_batches}};
    const testing::DrawnSamples source = training::samples_for(how.gan);
    const Steps steps = steps_of(how, false, 4, schedule, source);
    return static_cast<double>(plan_memory(steps.stages[stage], 16).n_elements);
  };
  using enum PipelineSchedule;
  EXPECT_GT(values_at(1, kGpipe, 16), 1.7 * values_at(1, kGpipe, 8));
  EXPECT_LT(values_at(1, k1F1B, 16), 1.1 * values_at(1, k1F1B, 8));
  EXPECT_GT(values_at(1, kGpipe, 16), 2 * values_at(1, k1F1B, 16));
}

}  // namespace
}  // namespace lipizz::nn::pipeline_stage_test
