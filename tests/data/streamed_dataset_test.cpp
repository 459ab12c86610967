#include "data/streamed_dataset.hpp"

#include <gtest/gtest.h>

#include "data/support.hpp"

namespace lipizz::data::streamed_dataset_test {
namespace {

// Sample i of 10 is the point (i, -i), its label 3 i.
class Points final : public SampleFiles {
 public:
  void read(std::uint32_t index, std::span<std::byte> out) const override {
    auto* const values = reinterpret_cast<float*>(out.data());
    values[0] = static_cast<float>(index);
    values[1] = -static_cast<float>(index);
  }
  [[nodiscard]] Label label(std::uint32_t index) const override {
    return static_cast<Label>(3 * index);
  }
  [[nodiscard]] std::uint64_t content_hash() const override { return 77; }
};

TEST(StreamedDataset, reads_both_parts_by_their_own_indices) {
  DatasetSource source;
  source.about.name = "points";
  source.about.kind = SampleKind::kPoint;
  source.about.shape.channels = 2;
  source.about.n_train = 7;
  source.about.n_test = 3;
  source.about.n_classes = 30;
  source.files = std::make_shared<Points>();
  OpenOptions options;
  options.max_samples = 4;
  const StreamedDataset dataset(source, options);
  EXPECT_EQ(dataset.n_train(), 4U);
  EXPECT_EQ(dataset.n_train_full(), 7U);
  EXPECT_EQ(dataset.n_classes(), 30U);
  dataset.expect_train(std::vector<std::uint32_t>{6, 1});
  std::vector<float> values(6);
  dataset.read_train(std::vector<std::uint32_t>{6, 0, 1}, values);
  EXPECT_EQ(values, (std::vector<float>{6, -6, 0, 0, 1, -1}));
  EXPECT_EQ(read_test(dataset, 2), (std::vector<float>{7, -7, 8, -8}));
  EXPECT_EQ(dataset.train_label(6), 18);
  EXPECT_EQ(dataset.test_label(2), 27);
  EXPECT_EQ(dataset.content_hash(), 77U);
  EXPECT_TRUE(dataset.share_handle().empty());
}

}  // namespace
}  // namespace lipizz::data::streamed_dataset_test
