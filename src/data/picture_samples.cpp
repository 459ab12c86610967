#include "data/picture_samples.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::data {
namespace {

using Indices = std::vector<std::uint32_t>;

Indices pictures_in(const FolderIndex& index, FolderPart part) {
  Indices found;
  for (std::uint32_t i = 0; i < index.pictures.size(); ++i) {
    if (part_of(index.pictures[i].name) == part) found.push_back(i);
  }
  return found;
}

// Hashes what samples are made of, in their order: the same wherever the folder lies.
std::uint64_t hash_of(const FolderIndex& index, const SampleParts& parts,
                      const std::vector<Label>& labels, const Conversion& conversion) {
  Hasher hasher;
  hasher.value(conversion.shape.height);
  hasher.value(conversion.shape.width);
  hasher.value(conversion.shape.channels);
  hasher.value(conversion.fit);
  hasher.text(conversion.condition);
  hasher.value(parts.n_train);
  for (const std::uint32_t picture : parts.order) {
    hasher.value(index.pictures[picture].hash);
    if (!labels.empty()) hasher.value(labels[picture]);
  }
  return hasher.digest();
}

}  // namespace

SampleParts parts_of(const FolderIndex& index, double test_share) {
  const auto n = static_cast<std::uint32_t>(index.pictures.size());
  if (n < 2) {
    throw DataError(index.folder.string() +
                    ": expected pictures for training and for tests, found one");
  }
  if (!has_parts(index.pictures)) return with_test_share(n, test_share);
  SampleParts parts{.order = pictures_in(index, FolderPart::kTrain), .n_train = 0};
  parts.n_train = static_cast<std::uint32_t>(parts.order.size());
  Indices test = pictures_in(index, FolderPart::kTest);
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
                               Conversion conversion)
    : index_(std::move(index)),
      parts_(std::move(parts)),
      labels_(std::move(labels)),
      conversion_(std::move(conversion)),
      content_hash_(hash_of(index_, parts_, labels_, conversion_)) {}

void PictureSamples::read(std::uint32_t index, std::span<std::byte> out) const {
  conversion_.convert(read_indexed(index_, parts_.order[index]),
                      {reinterpret_cast<std::uint8_t*>(out.data()), out.size()});
}

Label PictureSamples::label(std::uint32_t index) const {
  return labels_.empty() ? Label{0} : labels_[parts_.order[index]];
}

}  // namespace lipizz::data
