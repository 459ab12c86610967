#include "reuse_distances.hpp"

#include <iterator>

namespace lipizz::bench {
namespace {

double bytes_of(std::size_t n_elements) {
  return static_cast<double>(n_elements * sizeof(float));
}

}  // namespace

void ReuseDistances::begin_step() {
  n_reads_.clear();
  for (const nn::ValueId operation : graph_.live_operations()) {
    for (const nn::ValueId input : inputs_of(operation)) ++n_reads_[range_of(input)];
  }
}

std::set<nn::ValueId> ReuseDistances::inputs_of(nn::ValueId operation) const {
  const auto& inputs = graph_.node(operation).inputs;
  return {inputs.begin(), inputs.end()};
}

Move ReuseDistances::read(nn::ValueId value) {
  const Range range = range_of(value);
  const double distance = touch(range);
  const bool is_in_slot = range.memory < graph_.slots().size();
  if (--n_reads_[range] == 0 && !is_in_slot) touched_.pop_front();
  return {bytes_of(nn::n_elements(graph_.shape(value))), distance};
}

Move ReuseDistances::write(nn::ValueId value) {
  touch(range_of(value));
  const double bytes = bytes_of(nn::n_elements(graph_.shape(value)));
  return {bytes, bytes};
}

ReuseDistances::Range ReuseDistances::range_of(nn::ValueId value) const {
  const auto [owner, offset] = graph_.storage(value);
  const std::size_t n = nn::n_elements(graph_.shape(value));
  const auto& location = graph_.node(owner).location;
  if (!location) {
    return {graph_.slots().size() + owner.index, 0, nn::n_elements(graph_.shape(owner))};
  }
  const std::size_t begin = location->offset + offset;
  return {location->slot.index, begin, begin + n};
}

double ReuseDistances::touch(const Range& range) {
  double distance = bytes_of(range.end - range.begin);
  auto found = touched_.begin();
  for (; found != touched_.end() && !found->meets(range); ++found) {
    distance += bytes_of(found->end - found->begin);
  }
  while (found != touched_.end()) {
    found = found->meets(range) ? touched_.erase(found) : std::next(found);
  }
  touched_.push_front(range);
  return distance;
}

}  // namespace lipizz::bench
