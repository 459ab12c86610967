#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/bytes.hpp"
#include "data/dataset.hpp"
#include "data/node_shared.hpp"

namespace lipizz::data {

/// A dataset whose samples lie in one shared region: images as 8-bit values v, which readers get as
/// (v / 255 - 0.5) / 0.5, points as float32.
class StoredDataset final : public Dataset {
 public:
  /// Fills the content and hashes it, once for the node.
  static std::shared_ptr<const StoredDataset> load(const DatasetSource& source,
                                                   std::uint32_t max_samples);
  /// Maps what another process of the node loaded. DataError when the handle cannot be followed or
  /// is of another dataset; CommError when its bytes make no sense.
  static std::shared_ptr<const StoredDataset> open(std::string_view name, std::uint32_t max_samples,
                                                   std::span<const std::byte> handle);

  StoredDataset(Description description, std::uint32_t max_samples, SharedRegion region);

  [[nodiscard]] std::string_view name() const override { return about_.name; }
  [[nodiscard]] SampleKind kind() const override { return about_.kind; }
  [[nodiscard]] SampleShape shape() const override { return about_.shape; }
  [[nodiscard]] std::uint32_t n_condition_channels() const override {
    return about_.n_condition_channels;
  }
  [[nodiscard]] std::uint32_t n_train() const override { return n_train_; }
  [[nodiscard]] std::uint32_t n_train_full() const override { return about_.n_train; }
  [[nodiscard]] std::uint32_t n_test() const override { return about_.n_test; }
  [[nodiscard]] std::uint32_t n_classes() const override { return about_.n_classes; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  [[nodiscard]] std::uint8_t train_label(std::uint32_t index) const override;
  [[nodiscard]] std::uint8_t test_label(std::uint32_t index) const override;
  [[nodiscard]] std::span<const Mode> modes() const override { return about_.modes; }
  [[nodiscard]] std::uint64_t content_hash() const override { return content_hash_; }
  [[nodiscard]] Bytes share_handle() const override;

 private:
  /// Copies the samples at `offset + index`.
  void read(std::span<const std::uint32_t> indices, std::uint32_t offset,
            std::span<float> out) const;
  [[nodiscard]] std::uint8_t label(std::uint32_t sample) const;

  Description about_;
  std::uint32_t n_train_;
  SharedRegion region_;
  std::uint64_t content_hash_;
};

}  // namespace lipizz::data
