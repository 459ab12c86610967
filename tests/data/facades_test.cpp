#include "data/facades.hpp"

#include <gmock/gmock.h>

#include <array>

#include "data/jpeg_files.hpp"

namespace lipizz::data::facades_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A photo of one grey beside a map of one red-green-blue.
Image picture(std::uint8_t photo, std::array<std::uint8_t, 3> map) {
  Image image(512, 256, 3, photo);
  for (std::uint32_t y = 0; y < 256; ++y) {
    for (std::uint32_t x = 256; x < 512; ++x) std::ranges::copy(map, image.pixel(x, y));
  }
  return image;
}

class Facades : public ::testing::Test {
 protected:
  Facades() {
    put("train/2.jpg", picture(20, {0, 0, 200}));
    put("train/10.jpg", picture(10, {200, 0, 0}));
    put("val/1.jpg", picture(30, {0, 200, 0}));
    put("test/1.jpg", picture(40, {200, 200, 0}));
    write_file(folder_.path() / "facades/train/README.txt", {'x'});
    write_file(folder_.path() / "facades/SHA256SUMS", {'x'});
  }

  void put(const std::string& name, const Image& image) {
    write_file(folder_.path() / "facades" / name, jpeg(image));
  }
  std::shared_ptr<const Dataset> open() const {
    return open_dataset("facades", {folder_.path().string(), 0});
  }

  TemporaryFolder folder_;
};

/// A sample that is one colour in its map and one grey in its photo.
void expect_sample(std::span<const float> sample, std::array<int, 3> map, int photo) {
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::size_t x = i / 6 % 256;
    if (x == 0 || x == 255) continue;  // colours run across the seam of the file
    const int expected = i % 6 < 3 ? map[i % 6] : photo;
    ASSERT_NEAR((sample[i] + 1) * 127.5, expected, 3) << i;
  }
}

TEST_F(Facades, give_the_map_and_then_the_photo_in_the_order_of_names) {
  const auto dataset = open();
  EXPECT_EQ(dataset->n_train(), 2U);
  EXPECT_EQ(dataset->n_test(), 2U);
  EXPECT_EQ(dataset->n_classes(), 0U);
  EXPECT_EQ(dataset->n_condition_channels(), 3U);
  const std::size_t size = dataset->shape().size();
  EXPECT_EQ(size, std::size_t{256} * 256 * 6);
  const std::vector<float> train = read_train(*dataset, 2);
  expect_sample(std::span(train).first(size), {200, 0, 0}, 10);
  expect_sample(std::span(train).last(size), {0, 0, 200}, 20);
  const std::vector<float> test = read_test(*dataset, 2);
  expect_sample(std::span(test).first(size), {0, 200, 0}, 30);
  expect_sample(std::span(test).last(size), {200, 200, 0}, 40);
}

TEST_F(Facades, keep_their_condition_when_shared) {
  const auto first = open();
  const auto second = open_shared_dataset("facades", {}, first->share_handle());
  EXPECT_EQ(second->n_condition_channels(), 3U);
}

TEST_F(Facades, name_a_folder_without_pictures) {
  std::filesystem::remove(folder_.path() / "facades/val/1.jpg");
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("facades/val"), HasSubstr("it holds no *.jpg")));
  std::filesystem::remove_all(folder_.path() / "facades");
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("facades/train"), HasSubstr("No such file")));
  EXPECT_THAT(data_error([] { open_dataset("facades", {}); }), HasSubstr("no folder is given"));
}

TEST_F(Facades, refuse_pictures_of_another_size_or_damaged_ones) {
  put("val/1.jpg", Image(256, 256, 3));
  EXPECT_THAT(data_error([&] { open(); }),
              AllOf(HasSubstr("val/1.jpg"),
                    HasSubstr("expected 512 x 256 pixels in 3 channels, found 256 x 256 in 3")));
  put("val/1.jpg", Image(512, 256, 1));
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("found 512 x 256 in 1"));
  Octets cut = jpeg(picture(1, {2, 3, 4}));
  cut.resize(cut.size() / 2);
  write_file(folder_.path() / "facades/val/1.jpg", cut);
  EXPECT_THAT(data_error([&] { open(); }), HasSubstr("val/1.jpg: damaged JPEG"));
}

TEST(RealFacades, are_all_there) {
  if (!has_real("facades")) GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with facades/";
  const auto dataset = open_dataset("facades", {std::getenv("LIPIZZ_DATA_DIR"), 0});
  EXPECT_EQ(dataset->n_train(), 400U);
  EXPECT_EQ(dataset->n_test(), 206U);
  // Maps are painted in few colours, most of them blue: the photos are not.
  const std::vector<float> samples = read_train(*dataset, 20);
  double map = 0;
  double photo = 0;
  for (std::size_t i = 0; i < samples.size(); i += 6) {
    map += samples[i + 2] - samples[i];
    photo += samples[i + 5] - samples[i + 3];
  }
  EXPECT_GT(map, 4 * std::abs(photo));
}

}  // namespace
}  // namespace lipizz::data::facades_test
