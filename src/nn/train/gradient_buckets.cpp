#include "nn/train/gradient_buckets.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {

std::vector<Shard> parameter_buckets(const ParameterLayout& layout, const Shard& range) {
  constexpr std::size_t kLeast = std::size_t{1} << 16U;  // elements: shorter messages are latency
  std::vector<Shard> buckets;
  for (const ParameterBlock& block : layout.blocks) {
    if (block.offset < range.first || block.offset >= range.end()) continue;
    if (buckets.empty() || buckets.back().n >= kLeast) buckets.push_back({block.offset, 0});
    buckets.back().n = block.offset + n_elements(block.shape) - buckets.back().first;
  }
  return buckets;
}

GradientBuckets::GradientBuckets(Graph& graph, const ParameterLayout& layout, const Shard& range,
                                 SlotId sums, Collectives& ranks)
    : graph_(graph), layout_(layout), range_(range), sums_(sums), ranks_(ranks) {
  for (const Shard& bucket : parameter_buckets(layout, range)) buckets_.push_back({bucket});
}

void GradientBuckets::add(std::uint32_t row, std::size_t tensor, ValueId gradient) {
  const std::size_t offset = layout_.blocks[tensor].offset;
  Bucket& bucket = bucket_of(offset);
  if (row >= bucket.rows.size()) bucket.rows.resize(row + 1);
  Row& of_row = bucket.rows[row];
  of_row.gradients.emplace(offset, gradient);
  of_row.n += n_elements(graph_.shape(gradient));
  const auto is_ready = [&] {
    return bucket.n_sent < bucket.rows.size() && bucket.rows[bucket.n_sent].n == bucket.range.n;
  };
  while (is_ready()) send(bucket);
}

void GradientBuckets::finish() {
  for (const Bucket& bucket : buckets_) LIPIZZ_ASSERT(bucket.n_sent == bucket.rows.size());
  if (sent_) add_up(*std::exchange(sent_, std::nullopt));
}

GradientBuckets::Bucket& GradientBuckets::bucket_of(std::size_t offset) {
  const auto behind = std::ranges::upper_bound(
      buckets_, offset, {}, [](const Bucket& bucket) { return bucket.range.first; });
  return *std::prev(behind);
}

// Both operations take them alike.
Attributes GradientBuckets::attributes_of(const Sent& sent) const {
  return {.shape = {static_cast<std::uint32_t>(range_.first), static_cast<std::uint32_t>(range_.n)},
          .offset = sent.first,
          .number = sent.is_first_row ? 0.0f : 1.0f,
          .collectives = &ranks_};
}

void GradientBuckets::send(Bucket& bucket) {
  const bool is_first_row = bucket.n_sent == 0;
  Sent sent{bucket.range.first, is_first_row, {}};
  for (const auto& [offset, gradient] : bucket.rows[bucket.n_sent++].gradients) {
    sent.gradients.push_back(gradient);
  }
  graph_.apply(kSendGradients, sent.gradients, attributes_of(sent));
  if (const auto before = std::exchange(sent_, std::move(sent))) add_up(*before);
}

void GradientBuckets::add_up(const Sent& sent) {
  const Shard own = shard_of(range_, ranks_.rank(), ranks_.size());
  const std::size_t n_viewed = std::max<std::size_t>(own.n, 1);  // there are no empty views
  std::vector<ValueId> inputs{
      graph_.view(sums_, own.first, {static_cast<std::uint32_t>(n_viewed)})};
  inputs.insert(inputs.end(), sent.gradients.begin(), sent.gradients.end());
  graph_.apply(kAddGradients, std::move(inputs), attributes_of(sent));
}

}  // namespace lipizz::nn
