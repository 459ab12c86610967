#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/base/pipeline.hpp"

namespace lipizz::nn {

/// A part of a micro-batch's way through a pipeline, which one stage computes in one go.
struct PipelineTask {
  std::uint32_t stage = 0;
  std::uint32_t micro_batch = 0;
  std::uint64_t cost = 1;              // in any unit
  std::vector<std::uint32_t> after{};  // tasks of lower numbers, whose results it waits for
};

/// The order in which tasks begin, and how long all take, in the unit of their costs.
struct PipelineOrder {
  std::vector<std::uint32_t> tasks;
  std::uint64_t length = 0;
};

/// By list scheduling: a stage that is free takes, of the tasks that wait for nothing, the one that
/// is earliest on its micro-batch's way, since others wait for it longest. With k1F1B a stage has
/// no more micro-batches between their ways there and back than keep the tasks between these busy,
/// so that one goes back before another one enters. For a chain of stages, there and back, these
/// are the schedules of that name. Tasks of a micro-batch have numbers that ascend on its way.
PipelineOrder pipeline_order(std::span<const PipelineTask> tasks, std::uint32_t n_stages,
                             PipelineSchedule schedule);

/// The share of the time of all stages in which they wait for each other.
double bubble_of(std::span<const PipelineTask> tasks, std::uint32_t n_stages,
                 const PipelineOrder& order);

}  // namespace lipizz::nn
