#include "data/streamed_dataset.hpp"

#include <vector>

#include "core/check.hpp"
#include "data/sample_values.hpp"

namespace lipizz::data {

StreamedDataset::StreamedDataset(const DatasetSource& source, const OpenOptions& options)
    : DescribedDataset(source.about, options.max_samples),
      files_(source.files),
      prefetch_(*files_, source.about.sample_bytes(), options.n_readers) {}

void StreamedDataset::read_train(std::span<const std::uint32_t> indices,
                                 std::span<float> out) const {
  read(indices, out);
}

void StreamedDataset::read_test(std::span<const std::uint32_t> indices,
                                std::span<float> out) const {
  std::vector<std::uint32_t> samples(indices.begin(), indices.end());
  for (std::uint32_t& sample : samples) sample += about().n_train;
  read(samples, out);
}

Label StreamedDataset::train_label(std::uint32_t index) const {
  return files_->label(index);
}

Label StreamedDataset::test_label(std::uint32_t index) const {
  return files_->label(about().n_train + index);
}

void StreamedDataset::expect_train(std::span<const std::uint32_t> indices) const {
  prefetch_.expect(indices);
}

void StreamedDataset::read(std::span<const std::uint32_t> samples, std::span<float> out) const {
  const std::size_t size = about().shape.size();
  LIPIZZ_ASSERT(out.size() == samples.size() * size);
  prefetch_.read(samples, [&](std::size_t i, std::span<const std::byte> stored) {
    to_values(about().kind, stored, out.subspan(i * size, size));
  });
}

}  // namespace lipizz::data
