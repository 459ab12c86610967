#include "data/pair_folder.hpp"

#include <gmock/gmock.h>

#include <set>

#include "data/own_files.hpp"
#include "data/support.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::pair_folder_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::OwnOptions;
using testing::plain;
using testing::put_png;

// The left half has the value, the right one has 100 more.
Image side_by_side(std::uint32_t width, std::uint32_t height, std::uint8_t value) {
  Image image(2 * width, height, 3, value);
  for (std::uint32_t y = 0; y < height; ++y) {
    std::fill_n(image.pixel(width, y), width * 3, static_cast<std::uint8_t>(value + 100));
  }
  return image;
}

float as_value(int pixel) {
  return (static_cast<float>(pixel) / 255.0f - 0.5f) / 0.5f;
}

TEST(PairFolder, gives_the_condition_first_whichever_half_it_is) {
  const TemporaryFolder folder;
  for (std::uint8_t i = 0; i < 4; ++i) {
    put_png(folder.path() / (std::to_string(i) + ".png"), side_by_side(32, 16, 50));
  }
  OwnOptions own(folder.path());
  std::set<std::uint64_t> hashes;
  for (const bool is_left : {true, false}) {
    own.options.own.condition = is_left ? "left" : "right";
    const auto dataset = open_dataset("pairs", own.options);
    EXPECT_TRUE(hashes.insert(dataset->content_hash()).second);
    EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {16, 32, 6}, .n_condition_channels = 3}));
    const std::vector<float> sample = read_train(*dataset, 1);
    EXPECT_EQ(sample[0], as_value(is_left ? 50 : 150));
    EXPECT_EQ(sample[3], as_value(is_left ? 150 : 50));
  }
}

TEST(PairFolder, halves_are_brought_to_one_size_and_grey) {
  const TemporaryFolder folder;
  for (std::uint8_t i = 0; i < 4; ++i) {
    put_png(folder.path() / (std::to_string(i) + ".png"), side_by_side(40 + i, 50, 20));
  }
  OwnOptions own(folder.path());
  own.options.own.size = 32;
  own.options.own.channels = 1;
  const auto dataset = open_dataset("pairs", own.options);
  EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {32, 32, 2}, .n_condition_channels = 1}));
  EXPECT_EQ(read_train(*dataset, 1)[1], as_value(120));
}

TEST(PairFolder, pictures_outside_of_the_parts_decide_nothing) {
  const TemporaryFolder folder;
  put_png(folder.path() / "train/a.png", side_by_side(16, 16, 1));
  put_png(folder.path() / "val/b.png", side_by_side(16, 16, 2));
  put_png(folder.path() / "preview.png", plain(33, 20, 1, 3));
  OwnOptions own(folder.path());
  const auto dataset = open_dataset("pairs", own.options);
  EXPECT_EQ(form_of(*dataset), (SampleForm{.shape = {16, 16, 6}, .n_condition_channels = 3}));
  EXPECT_EQ(dataset->n_train(), 1U);
  EXPECT_EQ(dataset->n_test(), 1U);
}

TEST(PairFolder, a_picture_that_does_not_fit_is_named) {
  const TemporaryFolder folder;
  put_png(folder.path() / "a.png", side_by_side(16, 16, 1));
  put_png(folder.path() / "b.png", side_by_side(17, 16, 1));
  OwnOptions own(folder.path());
  EXPECT_THAT(data_error([&] { open_dataset("pairs", own.options); }),
              AllOf(HasSubstr("b.png: expected 32 x 16 pixels"), HasSubstr("found 34 x 16")));
  put_png(folder.path() / "b.png", plain(33, 16, 3, 1));
  EXPECT_THAT(data_error([&] { open_dataset("pairs", own.options); }),
              AllOf(HasSubstr("b.png"), HasSubstr("an even width, found 33 x 16")));
}

}  // namespace
}  // namespace lipizz::data::pair_folder_test
