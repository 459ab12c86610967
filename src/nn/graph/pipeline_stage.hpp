#pragma once

#include "nn/base/pipeline.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// The part that one stage of a pipeline computes of a graph whose operations are dealt out to
/// stages (Graph::set_stage): its own operations, and a kSend or a kReceive (nn/graph/operations)
/// for each value, or part of an internal slot, that one stage writes and another reads. The slots
/// are those of the graph; internal ones have as much of them as this stage looks at. Memory that
/// is bound to other slots is read where it was written.
///
/// Branches are micro-batches: each stage takes the parts of their ways in the order that the
/// schedule gives (nn/graph/pipeline_schedule.hpp), by what operations cost
/// (nn/graph/operation_cost.hpp). Values that settings alone decide, such as random numbers, are
/// computed wherever they are read. All stages pass the same graph, and the bits are those of its
/// operations in the order in which they were appended.
struct PipelineStage {
  Graph graph;
  /// The share of the time of all stages in which they wait for each other, if operations take as
  /// long as they cost and messages take no time.
  double bubble = 0;
};
PipelineStage pipeline_stage(const Graph& whole, const Pipeline& pipeline);

}  // namespace lipizz::nn
