#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/bytes.hpp"
#include "data/described_dataset.hpp"
#include "data/node_shared.hpp"

namespace lipizz::data {

/// A dataset whose samples lie in one shared region, as data/sample_values.hpp says.
class StoredDataset final : public DescribedDataset {
 public:
  /// Fills the content and hashes it, once for the node.
  static std::shared_ptr<const StoredDataset> load(const DatasetSource& source,
                                                   const OpenOptions& options);
  /// Maps what another process of the node loaded. DataError when the handle cannot be followed or
  /// is of another dataset; CommError when its bytes make no sense.
  static std::shared_ptr<const StoredDataset> open(std::string_view name, std::uint32_t max_samples,
                                                   std::span<const std::byte> handle);

  StoredDataset(Description description, std::uint32_t max_samples, SharedRegion region);

  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  [[nodiscard]] Label train_label(std::uint32_t index) const override;
  [[nodiscard]] Label test_label(std::uint32_t index) const override;
  [[nodiscard]] std::uint64_t content_hash() const override { return content_hash_; }
  [[nodiscard]] Bytes share_handle() const override;

 private:
  /// Copies the samples at `offset + index`.
  void read(std::span<const std::uint32_t> indices, std::uint32_t offset,
            std::span<float> out) const;
  [[nodiscard]] Label label(std::uint32_t sample) const;

  SharedRegion region_;
  std::uint64_t content_hash_;
};

}  // namespace lipizz::data
