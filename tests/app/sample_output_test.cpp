#include "app/sample_output.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "data/image.hpp"
#include "data/npy.hpp"
#include "data/png.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::sample_output_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::uint32_t kSamples = 3;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

// As pixels of 0, 10, 20 ... they come back.
std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(10 * i) / 127.5f - 1;
  return values;
}

class Written : public ::testing::Test {
 protected:
  worker::MixtureDescription images(std::uint32_t channels, std::uint32_t n_conditions = 0) {
    worker::MixtureDescription mixture;
    mixture.shape = {1, 2, channels};
    mixture.model.n_condition_channels = n_conditions;
    return mixture;
  }
  GenerateRequest request(SampleFormat format, const std::string& name) {
    GenerateRequest request;
    request.n = kSamples;
    request.format = format;
    request.output = folder_ / name;
    return request;
  }
  // In two parts, as long runs come.
  std::string write(const GenerateRequest& request, const worker::MixtureDescription& mixture,
                    std::span<const float> samples, std::span<const data::Label> labels = {},
                    std::span<const data::Neighbour> neighbours = {}) {
    const auto output = make_output(request, mixture, nullptr);
    const std::size_t first = samples.size() / kSamples;
    const std::size_t n_labels = labels.empty() ? 0 : 1;
    output->take(
        {samples.first(first), labels.first(n_labels), neighbours.first(request.n_nearest)});
    output->take(
        {samples.subspan(first), labels.subspan(n_labels), neighbours.subspan(request.n_nearest)});
    return output->finish();
  }

  TemporaryFolder folder_;
};

TEST_F(Written, images_are_files_and_an_array_of_the_same_pixels) {
  for (const std::uint32_t channels : {1U, 3U}) {
    const auto mixture = images(channels);
    const std::vector<float> samples = ramp(std::size_t{kSamples} * 2 * channels);
    const std::string number = std::to_string(channels);
    EXPECT_THAT(write(request(SampleFormat::kPng, "files" + number), mixture, samples),
                HasSubstr("files" + number + "/: 000000.png to 000002.png"));
    write(request(SampleFormat::kNpy, number + ".npy"), mixture, samples);
    const data::NpyFile array(folder_ / (number + ".npy"));
    EXPECT_EQ(array.layout().shape.size(), channels == 1 ? 3U : 4U);
    std::vector<std::uint8_t> pixels(samples.size());
    array.read(0, pixels);
    std::vector<std::uint8_t> files;
    for (const char* name : {"000000.png", "000001.png", "000002.png"}) {
      const data::Image image = data::read_png(folder_ / ("files" + number) / name);
      EXPECT_EQ(image.width, 2U);
      EXPECT_EQ(image.channels, channels);
      files.insert(files.end(), image.pixels.begin(), image.pixels.end());
    }
    EXPECT_EQ(files, pixels);
    for (std::size_t i = 0; i < pixels.size(); ++i) EXPECT_EQ(pixels[i], 10 * i);
  }
}

TEST_F(Written, pairs_have_the_condition_on_the_left) {
  const std::vector<float> samples = ramp(std::size_t{kSamples} * 4);
  write(request(SampleFormat::kPng, "files"), images(2, 1), samples);
  const data::Image image = data::read_png(folder_ / "files/000001.png");
  EXPECT_EQ(image.width, 4U);
  EXPECT_THAT(image.pixels, ElementsAre(40, 60, 50, 70));
}

TEST_F(Written, classes_and_neighbours_stand_beside) {
  auto mixture = images(1);
  mixture.model.generator.n_classes = 5;
  const std::vector<data::Label> labels{4, 0, 2};
  const std::vector<data::Neighbour> neighbours{{7, 0}, {1, 0.5}, {3, 2}, {4, 2}, {9, 1}, {2, 25}};
  const auto expect_beside = [&](const fs::path& labels_file, const fs::path& nearest_file) {
    std::vector<std::uint8_t> read(kSamples);
    data::NpyFile(labels_file).read(0, read);
    EXPECT_TRUE(std::ranges::equal(read, labels));
    EXPECT_EQ(content(nearest_file),
              "sample,rank,training_index,distance\n"
              "0,0,7,0\n0,1,1,0.5\n1,0,3,2\n1,1,4,2\n2,0,9,1\n2,1,2,25\n");
  };
  auto asked = request(SampleFormat::kPng, "files");
  asked.n_nearest = 2;
  EXPECT_THAT(write(asked, mixture, ramp(6), labels, neighbours),
              HasSubstr("000002.png, labels.npy, nearest.csv"));
  expect_beside(folder_ / "files/labels.npy", folder_ / "files/nearest.csv");
  asked.format = SampleFormat::kNpy;
  asked.output = folder_ / "a.npy";
  write(asked, mixture, ramp(6), labels, neighbours);
  expect_beside(folder_ / "a-labels.npy", folder_ / "a-nearest.csv");
}

TEST_F(Written, points_are_floats_or_lines_of_text) {
  worker::MixtureDescription mixture;
  mixture.kind = data::SampleKind::kPoint;
  mixture.shape = {1, 2, 1};
  const std::vector<float> samples{0.1f, -2, 3, 1e-9f, 5, 6};
  write(request(SampleFormat::kNpy, "a.npy"), mixture, samples);
  write(request(SampleFormat::kCsv, "a.csv"), mixture, samples);
  const data::NpyFile array(folder_ / "a.npy");
  EXPECT_THAT(array.layout().shape, ElementsAre(3, 2));
  std::vector<float> read(6);
  array.read(0, read);
  EXPECT_EQ(read, samples);
  EXPECT_EQ(content(folder_ / "a.csv"), "0.1,-2\n3,1e-09\n5,6\n");
}

TEST_F(Written, a_sheet_of_lines_has_a_row_for_each) {
  auto asked = request(SampleFormat::kSheet, "a.png");
  asked.between = {{1, 2}};
  asked.n_steps = 3;
  write(asked, images(1), ramp(6));
  const data::Image sheet = data::read_png(folder_ / "a.png");
  const std::uint32_t width = 3 * 2 + 4 * 2;  // of three images, and two pixels around each
  const std::uint32_t times = sheet.width / width;
  EXPECT_EQ(sheet.width, times * width);
  EXPECT_EQ(sheet.height, times * (1 + 2 * 2));
  EXPECT_EQ(*sheet.pixel(times * (2 + 4), times * 2), 20);
}

TEST_F(Written, nothing_is_replaced_and_nothing_half_stays) {
  const auto expect_refused = [&](const GenerateRequest& asked, const std::string& name) {
    EXPECT_THAT([&] { make_output(asked, images(1), nullptr); },
                ThrowsMessage<ConfigError>(HasSubstr(name + " exists; remove it")));
  };
  std::ofstream(folder_ / "a.npy") << "mine";
  fs::create_directory(folder_ / "files");
  expect_refused(request(SampleFormat::kNpy, "a.npy"), "a.npy");
  expect_refused(request(SampleFormat::kSheet, "a.npy"), "a.npy");
  expect_refused(request(SampleFormat::kPng, "files"), "files");
  std::ofstream(folder_ / "b-nearest.csv") << "mine";
  auto asked = request(SampleFormat::kNpy, "b.npy");
  asked.n_nearest = 1;
  expect_refused(asked, "b-nearest.csv");
  for (const SampleFormat format : {SampleFormat::kPng, SampleFormat::kNpy}) {
    make_output(request(format, "c"), images(1), nullptr)->take({ramp(2), {}, {}});
  }
  EXPECT_EQ(folder_.n_files(), 3U);
  EXPECT_EQ(content(folder_ / "a.npy"), "mine");
}

TEST_F(Written, a_sheet_has_an_end) {
  auto asked = request(SampleFormat::kSheet, "a.png");
  asked.n = 1'000'000'000;
  EXPECT_THAT([&] { make_output(asked, images(1), nullptr); },
              ThrowsMessage<ConfigError>(HasSubstr("too many for one picture")));
}

}  // namespace
}  // namespace lipizz::app::sample_output_test
