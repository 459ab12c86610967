#include "data/picture_samples.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::data {
namespace {

using Indices = std::vector<std::uint32_t>;

Indices below(const FolderIndex& index, std::string_view part) {
  Indices found;
  for (std::uint32_t i = 0; i < index.pictures.size(); ++i) {
    if (index.pictures[i].name.starts_with(part)) found.push_back(i);
  }
  return found;
}

Indices test_pictures(const FolderIndex& index) {
  Indices test = below(index, "test/");
  std::ranges::copy(below(index, "val/"), std::back_inserter(test));
  return test;
}

// Hashes what samples are made of, in their order: the same wherever the folder lies.
std::uint64_t hash_of(const FolderIndex& index, const SampleParts& parts,
                      const std::vector<Label>& labels) {
  Hasher hasher;
  hasher.value(parts.n_train);
  for (const std::uint32_t picture : parts.order) {
    hasher.value(index.pictures[picture].hash);
    if (!labels.empty()) hasher.value(labels[picture]);
  }
  return hasher.digest();
}

}  // namespace

bool has_parts(const FolderIndex& index) {
  return !below(index, "train/").empty() && !test_pictures(index).empty();
}

SampleParts parts_of(const FolderIndex& index, double test_share) {
  const auto n = static_cast<std::uint32_t>(index.pictures.size());
  if (n < 2) {
    throw DataError(index.folder.string() +
                    ": expected pictures for training and for tests, found one");
  }
  if (!has_parts(index)) {
    Indices shuffled(n);
    for (std::uint32_t i = 0; i < n; ++i) shuffled[i] = i;
    shuffle_samples(shuffled);
    SampleParts parts = with_test_share(n, test_share);
    for (std::uint32_t& place : parts.order) place = shuffled[place];
    return parts;
  }
  SampleParts parts{.order = below(index, "train/"), .n_train = 0};
  parts.n_train = static_cast<std::uint32_t>(parts.order.size());
  Indices test = test_pictures(index);
  shuffle_samples(parts.order);
  shuffle_samples(test);
  std::ranges::copy(test, std::back_inserter(parts.order));
  return parts;
}

std::uint32_t channels_of(const FolderIndex& index, const OwnFiles& own) {
  if (own.channels > 0) return own.channels;
  const bool is_grey = std::ranges::all_of(
      index.pictures, [](const IndexedPicture& picture) { return picture.channels == 1; });
  return is_grey ? 1 : 3;
}

PictureSamples::PictureSamples(FolderIndex index, SampleParts parts, std::vector<Label> labels,
                               Convert convert)
    : index_(std::move(index)),
      parts_(std::move(parts)),
      labels_(std::move(labels)),
      convert_(std::move(convert)),
      content_hash_(hash_of(index_, parts_, labels_)) {}

void PictureSamples::read(std::uint32_t index, std::span<std::byte> out) const {
  convert_(read_indexed(index_, parts_.order[index]),
           {reinterpret_cast<std::uint8_t*>(out.data()), out.size()});
}

Label PictureSamples::label(std::uint32_t index) const {
  return labels_.empty() ? Label{0} : labels_[parts_.order[index]];
}

}  // namespace lipizz::data
