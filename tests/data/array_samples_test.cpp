#include "data/array_samples.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "data/npy.hpp"
#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::array_samples_test {
namespace {

using ::testing::HasSubstr;
using testing::OwnOptions;

using Shape = std::vector<std::uint64_t>;

class ArraySamplesTest : public ::testing::Test {
 protected:
  ArraySamplesTest() : own_(folder_.path() / "a.npy") {}

  template <class Value>
  void put(const Shape& shape, Value scale) {
    std::uint64_t n = 1;
    for (const std::uint64_t size : shape) n *= size;
    std::vector<Value> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<Value>(scale * static_cast<Value>(i % 251));
    }
    write_npy(own_.options.own.path, shape, std::span<const Value>(values));
  }

  auto open() const { return open_dataset("npy", own_.options); }
  std::string complaint() const {
    return data_error([&] { open(); });
  }

  TemporaryFolder folder_;
  OwnOptions own_;
};

TEST_F(ArraySamplesTest, bytes_are_images) {
  put<std::uint8_t>({10, 4, 5}, 1);
  EXPECT_EQ(form_of(*open()), (SampleForm{.shape = {4, 5, 1}}));
  EXPECT_EQ(open()->n_train(), 9U);
  put<std::uint8_t>({10, 4, 5, 3}, 1);
  EXPECT_EQ(form_of(*open()), (SampleForm{.shape = {4, 5, 3}}));
  const std::vector<float> first = read_train(*open(), 1);  // row 7
  for (std::size_t i = 0; i < 60; ++i) {
    const auto pixel = static_cast<float>((7 * 60 + i) % 251);
    EXPECT_EQ(first[i], (pixel / 255.0f - 0.5f) / 0.5f);
  }
}

TEST_F(ArraySamplesTest, floats_are_images_of_a_range_that_is_told) {
  put<float>({4, 8, 8}, 1 / 255.0f);
  EXPECT_THAT(complaint(), HasSubstr("say with data.range"));
  own_.options.own.range = "0..1";
  EXPECT_EQ(read_train(*open(), 1)[7], (199 / 255.0f - 0.5f) / 0.5f) << "row 3 is the first";
  put<float>({4, 8, 8}, 0.1f);
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("expected pixels of data.range 0..1, found"));
  EXPECT_EQ(pixel_of(-1, "-1..1"), 0);
  EXPECT_EQ(pixel_of(0, "-1..1"), 128);
  EXPECT_EQ(pixel_of(1.0005f, "-1..1"), 255);
  EXPECT_EQ(pixel_of(1.1f, "-1..1"), std::nullopt);
  EXPECT_EQ(pixel_of(std::numeric_limits<float>::quiet_NaN(), "0..1"), std::nullopt);
}

TEST_F(ArraySamplesTest, rows_of_floats_are_points_of_any_range) {
  put<float>({40, 7}, 3.5f);
  const auto points = open();
  EXPECT_EQ(form_of(*points), (SampleForm{.kind = SampleKind::kPoint, .shape = {.channels = 7}}));
  EXPECT_EQ(points->n_train(), 36U);
  std::multiset<float> first_values;
  for (const bool is_train : {true, false}) {
    const std::uint32_t n = is_train ? points->n_train() : points->n_test();
    const std::vector<float> values = is_train ? read_train(*points, n) : read_test(*points, n);
    for (std::uint32_t i = 0; i < n; ++i) first_values.insert(values[i * 7]);
  }
  std::multiset<float> expected;
  for (std::size_t row = 0; row < 40; ++row) {
    expected.insert(3.5f * static_cast<float>(row * 7 % 251));
  }
  EXPECT_EQ(first_values, expected) << "each row is in one part";
}

TEST_F(ArraySamplesTest, the_first_are_of_all_classes_that_rows_are_sorted_by) {
  put<float>({100, 2}, 1);  // row i begins with 2 i
  own_.options.own.test_share = 0.2;
  const auto points = open();
  const std::vector<float> training = read_train(*points, 10);
  const std::vector<float> test = read_test(*points, 10);
  for (const std::vector<float>& values : {training, test}) {
    EXPECT_LT(std::ranges::min(values), 60);
    EXPECT_GT(std::ranges::max(values), 140);
  }
}

TEST_F(ArraySamplesTest, have_another_hash_in_other_parts_and_of_another_range) {
  put<float>({20, 4, 5}, 1 / 255.0f);
  own_.options.own.range = "0..1";
  const std::uint64_t hash = open()->content_hash();
  EXPECT_EQ(open()->content_hash(), hash);
  own_.options.own.range = "-1..1";
  EXPECT_NE(open()->content_hash(), hash);
  own_.options.own.range = "0..1";
  own_.options.own.test_share = 0.5;
  EXPECT_NE(open()->content_hash(), hash);
}

TEST_F(ArraySamplesTest, are_the_same_streamed_and_hashed_once) {
  own_.options.cache.lasting = {folder_.path() / "cache"};
  put<std::uint8_t>({50, 4, 5}, 1);
  const auto kept = open();
  own_.options.most_bytes = 10;
  const auto streamed = open();
  EXPECT_EQ(streamed->content_hash(), kept->content_hash());
  EXPECT_EQ(read_train(*streamed, 45), read_train(*kept, 45));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path() / "cache"), {}), 1);
  put<std::uint8_t>({50, 4, 5}, 2);
  EXPECT_NE(open()->content_hash(), kept->content_hash());
}

TEST_F(ArraySamplesTest, what_is_no_sample_is_refused) {
  put<std::uint8_t>({10, 4, 5, 2}, 1);
  EXPECT_THAT(complaint(), HasSubstr("(10, 4, 5, 2)"));
  put<std::uint8_t>({10, 4}, 1);
  EXPECT_THAT(complaint(), HasSubstr("found bytes of the shape (10, 4)"));
  put<std::uint8_t>({1, 4, 4}, 1);
  EXPECT_THAT(complaint(), HasSubstr("found one"));
  put<float>({10, 4}, 1);
  own_.options.own.range = "0..1";
  EXPECT_THAT(complaint(), HasSubstr("leave data.range out"));
}

}  // namespace
}  // namespace lipizz::data::array_samples_test
