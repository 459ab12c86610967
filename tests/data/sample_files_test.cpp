#include "data/sample_files.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "data/image.hpp"
#include "data/npy.hpp"
#include "data/png.hpp"
#include "data/support.hpp"

namespace lipizz::data::sample_files_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr SampleShape kGrey{2, 3, 1};
constexpr SampleShape kColour{2, 3, 3};

class SampleFilesTest : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  static std::unique_ptr<GivenSamples> open(const std::filesystem::path& from, SampleShape shape,
                                            const std::optional<ValueRange>& range = {}) {
    return open_sample_files(from, SampleKind::kImage, shape, range);
  }
  static std::vector<float> values(const GivenSamples& files, SampleShape shape) {
    std::vector<float> out(files.n() * shape.size());
    files.read(0, out);
    return out;
  }
  static std::string config_error(const std::function<void()>& action) {
    try {
      action();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }

  TemporaryFolder folder_;
  const std::vector<std::uint8_t> pixels_{0, 1, 50, 127, 128, 255, 9, 8, 7, 6, 5, 4};  // two images
};

TEST_F(SampleFilesTest, bytes_floats_and_pictures_are_the_same_samples) {
  write_npy(path("bytes.npy"), std::vector<std::uint64_t>{2, 2, 3}, pixels_);
  std::vector<float> unit;
  std::vector<float> wide;
  for (const std::uint8_t pixel : pixels_) {
    unit.push_back(float(pixel) / 255);
    wide.push_back(from_pixel(pixel));
  }
  write_npy(path("unit.npy"), std::vector<std::uint64_t>{2, 2, 3, 1}, unit);
  write_npy(path("wide.npy"), std::vector<std::uint64_t>{2, 2, 3}, wide);
  std::filesystem::create_directory(path("images"));
  for (std::size_t i = 0; i < 2; ++i) {
    Image grey(3, 2, 1);
    Image colour(3, 2, 3);
    for (std::size_t k = 0; k < 6; ++k) {
      grey.pixels[k] = pixels_[6 * i + k];
      std::fill_n(colour.pixels.begin() + std::ptrdiff_t(3 * k), 3, pixels_[6 * i + k]);
    }
    write_png(path("images") / (i == 0 ? "a.png" : "b.PNG"), i == 0 ? grey : colour);
  }
  write_file(path("images") / "notes.txt", {'x'});
  EXPECT_EQ(values(*open(path("bytes.npy"), kGrey), kGrey), wide);
  EXPECT_EQ(values(*open(path("unit.npy"), kGrey, parse_value_range("0..1")), kGrey), wide);
  EXPECT_EQ(values(*open(path("wide.npy"), kGrey, parse_value_range("-1..1")), kGrey), wide);
  EXPECT_EQ(values(*open(path("images"), kGrey), kGrey), wide);
}

TEST_F(SampleFilesTest, a_part_can_be_read) {
  write_npy(path("bytes.npy"), std::vector<std::uint64_t>{2, 2, 3}, pixels_);
  std::vector<float> second(6);
  open(path("bytes.npy"), kGrey)->read(1, second);
  EXPECT_EQ(second.front(), from_pixel(9));
}

TEST_F(SampleFilesTest, other_sizes_are_refused_and_both_are_named) {
  write_npy(path("tall.npy"), std::vector<std::uint64_t>{2, 3, 2}, pixels_);
  EXPECT_THAT(data_error([&] { open(path("tall.npy"), kGrey); }),
              AllOf(HasSubstr("tall.npy"), HasSubstr("(2, 2, 3, 1)"), HasSubstr("(2, 3, 2)")));
  std::filesystem::create_directory(path("images"));
  write_png(path("images") / "a.png", Image(4, 2, 1));
  EXPECT_THAT(data_error([&] { values(*open(path("images"), kGrey), kGrey); }),
              AllOf(HasSubstr("a.png"), HasSubstr("2x3x1"), HasSubstr("2x4x1")));
}

TEST_F(SampleFilesTest, colour_is_not_grey) {
  std::filesystem::create_directory(path("images"));
  Image colour(3, 2, 3);
  colour.pixels[4] = 1;
  write_png(path("images") / "a.png", colour);
  EXPECT_THAT(data_error([&] { values(*open(path("images"), kGrey), kGrey); }), HasSubstr("2x3x3"));
  EXPECT_EQ(values(*open(path("images"), kColour), kColour).size(), 18U);
}

TEST_F(SampleFilesTest, the_range_of_floats_is_not_guessed) {
  write_npy(path("floats.npy"), std::vector<std::uint64_t>{1, 2, 3},
            std::vector<float>{0, 0.5f, 1, 0, 0, 2});
  write_npy(path("bytes.npy"), std::vector<std::uint64_t>{2, 2, 3}, pixels_);
  EXPECT_THAT(config_error([&] { open(path("floats.npy"), kGrey); }), HasSubstr("--range 0..1"));
  EXPECT_THAT(config_error([&] {
                open(path("bytes.npy"), kGrey, ValueRange{0, 1});
              }),
              HasSubstr("leave --range out"));
  EXPECT_THAT(config_error([] { parse_value_range("0..255"); }), HasSubstr("0..1 or -1..1"));
  const auto files = open(path("floats.npy"), kGrey, ValueRange{0, 1});
  EXPECT_THAT(data_error([&] { values(*files, kGrey); }),
              AllOf(HasSubstr("floats.npy"), HasSubstr("found 2")));
}

TEST_F(SampleFilesTest, vectors_are_read_as_they_are) {
  const std::vector<float> points{1, -7, 300, 4};
  write_npy(path("points.npy"), std::vector<std::uint64_t>{2, 2}, points);
  const auto files = open_sample_files(path("points.npy"), SampleKind::kPoint, {1, 2, 1}, {});
  EXPECT_EQ(values(*files, {1, 2, 1}), points);
  EXPECT_THAT(data_error([&] {
                open_sample_files(path("points.npy"), SampleKind::kPoint, {1, 3, 1}, {});
              }),
              AllOf(HasSubstr("3 values"), HasSubstr("(2, 2)")));
}

TEST_F(SampleFilesTest, folders_without_pictures_and_what_is_not_there) {
  std::filesystem::create_directory(path("empty"));
  EXPECT_THAT(data_error([&] { open(path("empty"), kGrey); }),
              AllOf(HasSubstr("empty"), HasSubstr("*.png")));
  EXPECT_THAT(data_error([&] { open(path("nowhere.npy"), kGrey); }), HasSubstr("nowhere.npy"));
  write_file(path("empty") / "text.png", {'t', 'e', 'x', 't'});
  EXPECT_THAT(data_error([&] { values(*open(path("empty"), kGrey), kGrey); }),
              AllOf(HasSubstr("text.png"), HasSubstr("found text")));
}

}  // namespace
}  // namespace lipizz::data::sample_files_test
