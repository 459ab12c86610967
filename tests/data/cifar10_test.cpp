#include "data/cifar10.hpp"

#include <gmock/gmock.h>

#include <array>

#include "data/support.hpp"

namespace lipizz::data::cifar10_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kPlane = std::size_t{32} * 32;
constexpr std::size_t kRecord = 1 + 3 * kPlane;

/// Records of these labels; pixel i of plane c has the value 10 label + 2 c + i % 2.
Octets records(const Octets& labels) {
  Octets bytes;
  for (const std::uint8_t label : labels) {
    bytes.push_back(label);
    for (std::size_t i = 0; i < 3 * kPlane; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(10 * label + 2 * (i / kPlane) + i % 2));
    }
  }
  return bytes;
}

/// A small cifar10/ of two files of training records and one of test records.
class Cifar10 : public ::testing::Test {
 protected:
  Cifar10() {
    put("data_batch_1.bin", records({3, 0}));
    put("data_batch_2.bin", records({9}));
    put("test_batch.bin", records({1, 2, 4}));
    put("batches.meta.txt", {'x'});
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / "cifar10" / name;
  }
  void put(const std::string& name, const Octets& content) { write_file(path(name), content); }

  std::shared_ptr<const Dataset> open() const {
    return open_dataset("cifar10", {folder_.path().string(), 0});
  }

  TemporaryFolder folder_;
};

TEST_F(Cifar10, reads_all_files_in_order) {
  const auto dataset = open();
  EXPECT_EQ(dataset->n_train(), 3U);
  EXPECT_EQ(dataset->n_test(), 3U);
  EXPECT_EQ(dataset->n_classes(), 10U);
  EXPECT_EQ(dataset->shape().size(), 3 * kPlane);
  EXPECT_THAT((std::array{dataset->train_label(0), dataset->train_label(1), dataset->train_label(2),
                          dataset->test_label(0), dataset->test_label(2)}),
              ElementsAre(3, 0, 9, 1, 4));
}

TEST_F(Cifar10, turns_planes_into_channels) {
  std::vector<float> image(3 * kPlane);
  open()->read_train(std::array{2U}, image);
  for (std::size_t i = 0; i < image.size(); ++i) {
    const auto pixel = static_cast<double>(90 + 2 * (i % 3) + i / 3 % 2);
    ASSERT_NEAR(image[i], 2.0 * pixel / 255.0 - 1.0, 1e-6) << i;
  }
}

TEST_F(Cifar10, takes_the_first_thousand_test_images_where_only_they_are_there) {
  put("test_batch_first1000.bin", records({8}));
  EXPECT_EQ(open()->n_test(), 3U);
  std::filesystem::remove(path("test_batch.bin"));
  const auto dataset = open();
  EXPECT_EQ(dataset->n_test(), 1U);
  EXPECT_EQ(dataset->test_label(0), 8);
}

TEST_F(Cifar10, names_a_file_that_is_missing) {
  std::filesystem::remove(path("test_batch.bin"));
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("cifar10/test_batch.bin"), HasSubstr("No such file")));
  put("test_batch.bin", records({1}));
  std::filesystem::rename(path("data_batch_2.bin"), path("data_batch_3.bin"));
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("cifar10/data_batch_2.bin"));
  for (const char* name : {"data_batch_1.bin", "data_batch_3.bin"}) {
    std::filesystem::remove(path(name));
  }
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("cifar10/data_batch_1.bin"));
  EXPECT_THAT(data_error([] { open_dataset("cifar10", {}); }), HasSubstr("no folder is given"));
}

TEST_F(Cifar10, refuses_sizes_that_are_no_records) {
  for (const std::size_t n_bytes : {std::size_t{0}, kRecord - 1, 2 * kRecord + 1}) {
    put("data_batch_2.bin", Octets(n_bytes));
    EXPECT_THAT(data_error([&] { open(); }),
                AllOf(HasSubstr("data_batch_2.bin"),
                      HasSubstr("expected 1 to 10000 records of 3073 bytes, found " +
                                std::to_string(n_bytes) + " bytes")));
  }
  std::filesystem::resize_file(path("data_batch_2.bin"), 10'001 * kRecord);
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("found 30733073 bytes"));
}

TEST_F(Cifar10, refuses_a_label_out_of_range) {
  put("test_batch.bin", records({1, 10}));
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("test_batch.bin"),
                    HasSubstr("expected labels from 0 to 9, found 10 in record 1")));
}

TEST(RealCifar10, is_what_was_published) {
  if (!has_real("cifar10")) GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with cifar10/";
  const auto dataset = open_dataset("cifar10", {std::getenv("LIPIZZ_DATA_DIR"), 0});
  ASSERT_EQ(dataset->n_train() % 10'000, 0U);
  // A frog, two trucks, a deer; a thousand of each class in 10,000 on average.
  EXPECT_THAT((std::array{dataset->train_label(0), dataset->train_label(1), dataset->train_label(2),
                          dataset->train_label(3)}),
              ElementsAre(6, 9, 9, 4));
  std::array<std::uint32_t, 10> counts{};
  for (std::uint32_t i = 0; i < 10'000; ++i) ++counts[dataset->train_label(i)];
  EXPECT_THAT(counts, Each(AllOf(::testing::Gt(900U), ::testing::Lt(1'100U))));
  // The means 0.4914, 0.4822, 0.4465 that everybody normalises its 50,000 images by.
  std::array<double, 3> sums{};
  const std::vector<float> samples = read_train(*dataset, 10'000);
  for (std::size_t i = 0; i < samples.size(); ++i) sums[i % 3] += samples[i];
  const std::array<double, 3> published{0.4914, 0.4822, 0.4465};
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR((sums[c] / (10'000.0 * kPlane) + 1.0) / 2.0, published[c], 3e-3) << c;
  }
}

}  // namespace
}  // namespace lipizz::data::cifar10_test
