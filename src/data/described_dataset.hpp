#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "data/dataset.hpp"

namespace lipizz::data {

/// A dataset that answers questions about itself out of its description.
class DescribedDataset : public Dataset {
 public:
  DescribedDataset(Description about, std::uint32_t max_samples)
      : about_(std::move(about)), n_train_(about_.n_train_within(max_samples)) {}

  [[nodiscard]] std::string_view name() const final { return about_.name; }
  [[nodiscard]] SampleKind kind() const final { return about_.kind; }
  [[nodiscard]] SampleShape shape() const final { return about_.shape; }
  [[nodiscard]] std::uint32_t n_condition_channels() const final {
    return about_.n_condition_channels;
  }
  [[nodiscard]] std::uint32_t n_train() const final { return n_train_; }
  [[nodiscard]] std::uint32_t n_train_full() const final { return about_.n_train; }
  [[nodiscard]] std::uint32_t n_test() const final { return about_.n_test; }
  [[nodiscard]] std::uint32_t n_classes() const final { return about_.n_classes; }
  [[nodiscard]] std::uint32_t n_channel_classes() const final { return about_.n_channel_classes; }
  [[nodiscard]] std::span<const Mode> modes() const final { return about_.modes; }

 protected:
  [[nodiscard]] const Description& about() const { return about_; }

 private:
  Description about_;
  std::uint32_t n_train_;
};

}  // namespace lipizz::data
