#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "data/described_dataset.hpp"
#include "data/sample_prefetch.hpp"

namespace lipizz::data {

/// A dataset whose samples stay in their files: each is read when it is asked for, and those that
/// are expected (expect_train()) are read beforehand by threads. Takes the memory of these and of
/// labels, however many samples there are. Nothing of it is shared.
class StreamedDataset final : public DescribedDataset {
 public:
  /// `source` has files.
  StreamedDataset(const DatasetSource& source, const OpenOptions& options);

  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  [[nodiscard]] Label train_label(std::uint32_t index) const override;
  [[nodiscard]] Label test_label(std::uint32_t index) const override;
  void expect_train(std::span<const std::uint32_t> indices) const override;
  [[nodiscard]] std::uint64_t content_hash() const override { return files_->content_hash(); }

 private:
  void read(std::span<const std::uint32_t> samples, std::span<float> out) const;

  std::shared_ptr<const SampleFiles> files_;
  mutable SamplePrefetch prefetch_;
};

}  // namespace lipizz::data
