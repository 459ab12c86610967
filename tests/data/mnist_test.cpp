#include "data/mnist.hpp"

#include <gmock/gmock.h>

#include <array>

#include "data/gzip_files.hpp"
#include "data/support.hpp"

namespace lipizz::data::mnist_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kPixels = std::size_t{28} * 28;

/// Writes a small mnist/ of 3 training and 2 test images, whole or with one file replaced.
class Mnist : public ::testing::Test {
 protected:
  Mnist() {
    Octets images(3 * kPixels);
    for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<std::uint8_t>(i);
    put("train-images-idx3-ubyte.gz", idx({3, 28, 28}, images));
    put("train-labels-idx1-ubyte.gz", idx({3}, {7, 0, 9}));
    put("t10k-images-idx3-ubyte.gz", idx({2, 28, 28}, Octets(2 * kPixels, 255)));
    put("t10k-labels-idx1-ubyte.gz", idx({2}, {1, 2}));
    put("SHA256SUMS", {'x'});
  }

  void put(const std::string& name, const Octets& content) {
    write_file(folder_.path() / "mnist" / name, gzipped(content));
  }

  std::shared_ptr<const Dataset> open(std::uint32_t max_samples = 0) const {
    return open_dataset("mnist", {folder_.path().string(), max_samples});
  }

  TemporaryFolder folder_;
};

TEST_F(Mnist, reads_images_and_labels) {
  const auto dataset = open();
  EXPECT_EQ(dataset->name(), "mnist");
  EXPECT_EQ(dataset->n_train(), 3U);
  EXPECT_EQ(dataset->n_test(), 2U);
  EXPECT_EQ(dataset->n_classes(), 10U);
  EXPECT_EQ(dataset->shape().size(), kPixels);
  EXPECT_THAT((std::array{dataset->train_label(0), dataset->train_label(1), dataset->train_label(2),
                          dataset->test_label(1)}),
              ElementsAre(7, 0, 9, 2));

  std::vector<float> image(kPixels);
  dataset->read_train(std::array{2U}, image);
  for (std::size_t i = 0; i < kPixels; ++i) {
    const auto pixel = static_cast<double>((2 * kPixels + i) % 256);
    ASSERT_NEAR(image[i], 2.0 * pixel / 255.0 - 1.0, 1e-6);
  }
  dataset->read_test(std::array{1U}, image);
  EXPECT_THAT(image, Each(1.0f));
}

TEST_F(Mnist, trains_on_the_first_max_samples) {
  const auto dataset = open(2);
  EXPECT_EQ(dataset->n_train(), 2U);
  EXPECT_EQ(dataset->n_train_full(), 3U);
  EXPECT_EQ(dataset->content_hash(), open()->content_hash());
}

TEST_F(Mnist, names_a_missing_file_and_a_missing_folder) {
  std::filesystem::remove(folder_.path() / "mnist/t10k-labels-idx1-ubyte.gz");
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("mnist/t10k-labels-idx1-ubyte.gz"), HasSubstr("No such file"),
                    HasSubstr("scripts/fetch-data.sh")));
  EXPECT_THAT(data_error([&] {
                open_dataset("fashion-mnist", {folder_.path().string(), 0});
              }),
              HasSubstr("fashion-mnist/train-images-idx3-ubyte.gz"));
  EXPECT_THAT(data_error([] { open_dataset("mnist", {}); }),
              AllOf(HasSubstr("no folder is given"), HasSubstr("--data-dir")));
}

TEST_F(Mnist, refuses_labels_that_do_not_fit_the_images) {
  put("train-labels-idx1-ubyte.gz", idx({4}, {7, 0, 9, 1}));
  EXPECT_THAT(
      data_error([&] { open(); }),
      AllOf(HasSubstr("train-labels-idx1-ubyte.gz"),
            HasSubstr("expected 3 labels, as many as there are images beside it, found 4")));
}

TEST_F(Mnist, refuses_a_label_out_of_range) {
  put("t10k-labels-idx1-ubyte.gz", idx({2}, {1, 10}));
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("t10k-labels-idx1-ubyte.gz"),
                    HasSubstr("expected labels from 0 to 9, found 10 at index 1")));
}

TEST_F(Mnist, refuses_images_of_another_size) {
  put("train-images-idx3-ubyte.gz", idx({3, 28, 32}, Octets(std::size_t{3} * 28 * 32)));
  EXPECT_THAT(data_error([&] { open(); }),
              HasSubstr("expected a size of 28 in dimension 2 of the IDX header, found 32"));
}

TEST(RealMnist, is_what_was_published) {
  if (!has_real("mnist")) GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with mnist/";
  const auto dataset = open_dataset("mnist", {std::getenv("LIPIZZ_DATA_DIR"), 0});
  EXPECT_EQ(dataset->n_train(), 60'000U);
  EXPECT_EQ(dataset->n_test(), 10'000U);
  // The first labels, and the first class count, as they are known of MNIST.
  EXPECT_THAT((std::array{dataset->train_label(0), dataset->train_label(1), dataset->train_label(2),
                          dataset->train_label(3)}),
              ElementsAre(5, 0, 4, 1));
  std::uint32_t n_zeros = 0;
  for (std::uint32_t i = 0; i < dataset->n_train(); ++i) n_zeros += dataset->train_label(i) == 0;
  EXPECT_EQ(n_zeros, 5923U);
  // Mean 0.1307 of the training pixels, the number that everybody normalises MNIST by.
  double sum = 0;
  for (const float value : read_train(*dataset, 60'000)) sum += value;
  EXPECT_NEAR((sum / (60'000.0 * kPixels) + 1.0) / 2.0, 0.1307, 5e-5);
}

TEST(RealFashionMnist, is_what_was_published) {
  if (!has_real("fashion-mnist")) {
    GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with fashion-mnist/";
  }
  const auto dataset = open_dataset("fashion-mnist", {std::getenv("LIPIZZ_DATA_DIR"), 0});
  std::array<std::uint32_t, 10> counts{};
  for (std::uint32_t i = 0; i < dataset->n_train(); ++i) ++counts[dataset->train_label(i)];
  EXPECT_THAT(counts, Each(6'000U));
  EXPECT_EQ(dataset->train_label(0), 9);
}

}  // namespace
}  // namespace lipizz::data::mnist_test
