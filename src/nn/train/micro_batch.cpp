#include "nn/train/micro_batch.hpp"

#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {

namespace {

// So many in n parts of as many each, the first ones one more where that does not come out even.
std::vector<Rows> dealt(std::uint32_t total, std::uint32_t n) {
  std::vector<Rows> all;
  for (std::uint32_t first = 0; first < total; first += all.back().n) {
    all.push_back({first, total / n + (all.size() < total % n ? 1 : 0)});
  }
  return all;
}

using RunningUpdates = std::vector<Batch::RunningUpdate>;

// The statistics that the updates of all micro-batches take [micro-batches, n_of_one], from those
// of this rank's.
ValueId gathered_statistics(Batch& batch, const RunningUpdates& own, std::size_t n_of_one) {
  Graph& g = batch.step.graph;
  const std::uint32_t n_parts = batch.parts.n();
  const SlotId slot = g.add_slot("statistics", n_parts * n_of_one, Slot::Access::kInternal);
  std::size_t offset = 0;
  for (const auto& update : own) {
    const auto n = static_cast<std::uint32_t>(n_elements(g.shape(update.statistics)));
    const ValueId flat = g.slice(update.statistics, 0, {1, n});
    g.place(g.apply(kSliceChannels, {flat}, {.shape = {n}}), slot, offset);
    offset += n;
  }
  return add_gather_parts(g, g.view(slot, 0, {n_parts, static_cast<std::uint32_t>(n_of_one)}),
                          static_cast<std::uint32_t>(batch.parts.all.size()),
                          batch.parts.collectives);
}

// The updates of all ranks, from those of this one: layers and their order are everywhere the same.
RunningUpdates updates_of_all(Batch& batch, const RunningUpdates& own) {
  Graph& g = batch.step.graph;
  const auto of_one = std::span(own).first(own.size() / batch.parts.n());
  std::size_t n_of_one = 0;
  for (const auto& update : of_one) n_of_one += n_elements(g.shape(update.statistics));
  const ValueId gathered = gathered_statistics(batch, own, n_of_one);
  RunningUpdates all;
  std::size_t offset = 0;
  for (const Rows rows : batch.parts.all) {
    for (Batch::RunningUpdate update : of_one) {
      const Shape shape = g.shape(update.statistics);
      update.statistics = g.slice(gathered, offset, shape);
      update.attributes.shape[0] = update.attributes.shape[0] / update.n_rows * rows.n;
      offset += n_elements(shape);
      all.push_back(std::move(update));
    }
  }
  return all;
}

}  // namespace

MicroBatches micro_batches(std::uint32_t batch, std::uint32_t n, Collectives* collectives) {
  const std::uint32_t n_ranks = collectives == nullptr ? 1 : collectives->size();
  if (n == 0 || n > batch || n_ranks > n) {
    throw InternalError(std::to_string(n) + " micro-batches of a batch of " +
                        std::to_string(batch) + " on " + std::to_string(n_ranks) + " ranks");
  }
  MicroBatches parts{dealt(batch, n), {}, collectives};
  for (std::uint32_t i = collectives == nullptr ? 0 : collectives->rank(); i < n; i += n_ranks) {
    parts.own.push_back(parts.all[i]);
  }
  return parts;
}

void add_running_updates(Batch& batch, std::span<const ValueId> guarded) {
  Graph& g = batch.step.graph;
  std::map<std::uint32_t, RunningUpdates> of_stages;
  for (const auto& update : batch.running_updates) {
    of_stages[update.stage].push_back(update);
  }
  for (const auto& [stage, own] : of_stages) {
    g.set_stage(stage);
    const bool are_of_ranks = batch.parts.collectives != nullptr && !batch.is_synchronised;
    for (const auto& update : are_of_ranks ? updates_of_all(batch, own) : own) {
      std::vector<ValueId> inputs{update.running, update.statistics};
      if (!guarded.empty()) inputs.push_back(guarded[stage]);
      g.apply(kUpdateRunning, std::move(inputs), update.attributes);
    }
  }
}

MicroBatch::MicroBatch(Batch& batch, Rows rows) : batch_(batch), rows_(rows) {
  if (!is_drawn() && !is_all()) {
    throw InternalError("a step whose inputs are handed to it has one micro-batch");
  }
}

ValueId MicroBatch::inputs() {
  const std::uint32_t width = batch_.gan.generator.n_inputs();
  if (!is_drawn()) return handed(batch_.step.inputs, "inputs", rows_.n, width);
  if (batch_.gan.n_condition_channels == 0) {
    return graph().apply(kNormals, {draw(StepSettings::kInputs)},
                         {.shape = {rows_.n, width}, .offset = rows_.first});
  }
  const Shape& image = batch_.gan.discriminator.inputs;
  const ValueId images = graph().reshape(real(), {rows_.n, image[0], image[1], image[2]});
  const ValueId conditions =
      graph().apply(kSliceChannels, {images}, {.shape = {batch_.gan.n_condition_channels}});
  return graph().reshape(conditions, {rows_.n, width});
}

ValueId MicroBatch::real() {
  if (!real_) {
    real_ = is_drawn() ? from_source(kSamples)
                       : handed(batch_.step.samples, "samples", rows_.n, batch_.gan.sample());
  }
  return *real_;
}

std::optional<ValueId> MicroBatch::labels() {
  if (batch_.gan.n_classes() == 0) return std::nullopt;
  return is_drawn() ? classes_in_turn() : handed_labels(rows_.n);
}

ValueId MicroBatch::real_and_fakes() {
  const Shape all{2 * rows_.n, batch_.gan.sample()};
  if (!is_drawn()) {
    const ValueId both =
        handed(batch_.step.samples, "samples", all[0], all[1], Slot::Access::kReadWrite);
    samples_ = batch_.step.samples;
    return both;
  }
  samples_ = graph().add_slot("samples", n_elements(all), Slot::Access::kInternal);
  batch_.step.samples = samples_;
  graph().place(real(), *samples_, 0);
  return graph().view(*samples_, 0, all);
}

void MicroBatch::place_fakes(ValueId fakes) {
  graph().place(fakes, *samples_, std::size_t{rows_.n} * batch_.gan.sample());
}

ValueId MicroBatch::real_of(ValueId real_and_fakes) {
  return is_drawn() ? real() : graph().slice(real_and_fakes, 0, {rows_.n, batch_.gan.sample()});
}

std::optional<ValueId> MicroBatch::labels_of_both() {
  if (batch_.gan.n_classes() == 0) return std::nullopt;
  if (!is_drawn()) return handed_labels(2 * rows_.n);
  const SlotId slot = graph().add_slot("labels", std::size_t{2} * rows_.n, Slot::Access::kInternal);
  graph().place(from_source(kLabels), slot, 0);
  graph().place(classes_in_turn(), slot, rows_.n);
  return graph().view(slot, 0, {2 * rows_.n});
}

ValueId MicroBatch::uniforms(Shape shape) {
  LIPIZZ_ASSERT(shape.front() == rows_.n || shape.front() == 2 * rows_.n);
  const std::size_t first = n_uniforms_;
  n_uniforms_ += n_elements(shape) / rows_.n * batch_.n_rows;
  batch_.step.n_uniforms = n_uniforms_;
  if (is_drawn()) return is_all() ? drawn(shape, first) : drawn_in_parts(shape, first);
  const std::string name = "uniforms" + std::to_string(batch_.step.uniforms.size());
  batch_.step.uniforms.push_back(graph().add_slot(name, n_elements(shape), Slot::Access::kRead));
  return graph().view(batch_.step.uniforms.back(), 0, std::move(shape));
}

Pass MicroBatch::pass(Mode mode, std::optional<ValueId> labels, std::uint32_t n_batches) {
  Pass made{
      .mode = mode, .n_batches = n_batches, .labels = labels, .uniforms = [this](Shape shape) {
        return uniforms(std::move(shape));
      }};
  if (!is_all()) made.divided_weights = &batch_.divided_weights;
  if (is_all() && !batch_.step.loss_scale) return made;
  made.update_running = [this](ValueId running, ValueId statistics, const Attributes& update) {
    keep_running_update(running, statistics, update);
  };
  return made;
}

void MicroBatch::keep_running_update(ValueId running, ValueId statistics,
                                     const Attributes& update) {
  const Shape& shape = graph().shape(statistics);
  const SlotId slot = graph().add_slot("statistics", n_elements(shape), Slot::Access::kInternal);
  graph().place(statistics, slot, 0);
  batch_.running_updates.push_back(
      {running, graph().view(slot, 0, shape), update, rows_.n, graph().node(statistics).stage});
}

// Sources are read by one thread, and in the order of rows.
ValueId MicroBatch::from_source(const Operation& operation) {
  const std::uint32_t branch = graph().branch();
  if (batch_.form.is_forked) graph().set_branch(Graph::kTrunk);
  const ValueId found = graph().apply(operation, {indices()}, {.source = batch_.form.source});
  graph().set_branch(branch);
  return found;
}

ValueId MicroBatch::draw(std::size_t place) {
  return graph().view(batch_.step.settings, place, {Draw::kSize});
}

ValueId MicroBatch::indices() {
  return graph().view(batch_.step.settings, StepSettings::kIndices + rows_.first, {rows_.n});
}

ValueId MicroBatch::classes_in_turn() {
  return graph().apply(
      kClassesInTurn, {draw(StepSettings::kInputs)},
      {.shape = {rows_.n}, .offset = rows_.first, .groups = batch_.gan.n_classes()});
}

ValueId MicroBatch::drawn(Shape shape, std::size_t first) {
  return graph().apply(kUniforms, {draw(StepSettings::kUniforms)},
                       {.shape = std::move(shape), .offset = first});
}

// Rows of real samples and those of fakes have numbers that lie apart in the batch's, the first of
// which is `first`.
ValueId MicroBatch::drawn_in_parts(const Shape& shape, std::size_t first) {
  const std::size_t width = n_elements(shape) / shape.front();
  const SlotId slot = graph().add_slot("uniforms", n_elements(shape), Slot::Access::kInternal);
  Shape part = shape;
  part.front() = rows_.n;
  for (std::size_t i = 0; i < shape.front() / rows_.n; ++i) {
    const std::size_t row = i * batch_.n_rows + rows_.first;
    graph().place(drawn(part, first + row * width), slot, i * n_elements(part));
  }
  return graph().view(slot, 0, shape);
}

ValueId MicroBatch::handed(std::optional<SlotId>& slot, std::string name, std::uint32_t n_rows,
                           std::uint32_t width, Slot::Access access) {
  slot = graph().add_slot(std::move(name), std::size_t{n_rows} * width, access);
  return graph().view(*slot, 0, {n_rows, width});
}

ValueId MicroBatch::handed_labels(std::uint32_t n) {
  return graph().reshape(handed(batch_.step.labels, "labels", n, 1), {n});
}

}  // namespace lipizz::nn
