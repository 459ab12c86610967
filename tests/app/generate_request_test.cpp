#include "app/generate_request.hpp"

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "nn/network/models.hpp"

namespace lipizz::app::generate_request_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

GenerateRequest asked(std::vector<std::string> options) {
  options.insert(options.begin(), {"generate", "runs/a"});
  return generate_request(parse_command_line(options));
}

worker::MixtureDescription of_model(const std::string& name, std::uint32_t n_classes = 0) {
  worker::MixtureDescription mixture;
  mixture.model = nn::make_model(name, {.n_classes = n_classes});
  const nn::Shape& shape = mixture.model.discriminator.inputs;
  if (shape.size() == 3) {
    mixture.shape = {shape[0], shape[1], shape[2]};
  } else if (mixture.model.sample() == 784) {
    mixture.shape = {28, 28, 1};
  } else {
    mixture.kind = data::SampleKind::kPoint;
    mixture.shape = {1, mixture.model.sample(), 1};
  }
  return mixture;
}

GenerateRequest complete(const std::vector<std::string>& options,
                         const worker::MixtureDescription& mixture) {
  return completed(asked(options), mixture, "/runs/a");
}

TEST(GenerateRequest, reads_what_was_typed) {
  const GenerateRequest request =
      asked({"--number", "7", "--seed", "18446744073709551615", "--best", "--class", "3",
             "--format", "npy", "--output", "x", "--nearest", "2"});
  EXPECT_EQ(request.n, 7U);
  EXPECT_EQ(request.seed, UINT64_MAX);
  EXPECT_TRUE(request.is_best);
  EXPECT_EQ(request.only_class, 3U);
  EXPECT_EQ(request.format, SampleFormat::kNpy);
  EXPECT_EQ(request.output, "x");
  EXPECT_EQ(request.n_nearest, 2U);
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(asked({"--between", "1,2", "--between", "8,9", "--steps", "4"}).between,
              ::testing::ElementsAre(Pair(1, 2), Pair(8, 9)));
}

TEST(GenerateRequest, says_which_option_makes_no_sense) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--number", "0"}, "--number: expected a whole number from 1 to 1000000000, found \"0\""},
      {{"--seed", "-1"}, "--seed: expected a whole number"},
      {{"--class", "three"}, "--class: expected a whole number"},
      {{"--nearest", "101"}, "--nearest: expected a whole number from 1 to 100"},
      {{"--between", "4"}, "--between: expected two seeds, for example 3,8; found \"4\""},
      {{"--between", "1,2", "--steps", "1"}, "--steps: expected a whole number from 2 to 1000"},
      {{"--steps", "5"}, "--steps: belongs to --between"},
      {{"--between", "1,2", "--number", "5"}, "--number: a line has as many samples as --steps"},
      {{"--between", "1,2", "--seed", "5"}, "--seed: a line goes from one seed to another"},
      {{"--format", "pgn"}, "--format: there is no \"pgn\"; did you mean \"png\"?"}};
  for (const auto& [options, message] : cases) {
    const auto ask = [&given = options] { asked(given); };
    EXPECT_THAT(ask, ThrowsMessage<ConfigError>(HasSubstr(message)));
  }
}

TEST(GenerateRequest, chooses_format_and_place) {
  const auto digits = of_model("mlp");
  const auto points = of_model("mlp-2d");
  const auto expect = [](const GenerateRequest& request, SampleFormat format,
                         const std::string& output) {
    EXPECT_EQ(request.format, format);
    EXPECT_EQ(request.output, output);
  };
  expect(complete({}, digits), SampleFormat::kPng, "a-samples");
  expect(complete({}, points), SampleFormat::kNpy, "a-samples.npy");
  expect(complete({"--format", "sheet"}, points), SampleFormat::kSheet, "a-samples.png");
  expect(complete({"--between", "1,2"}, digits), SampleFormat::kSheet, "a-between.png");
  expect(complete({"--nearest", "3"}, digits), SampleFormat::kSheet, "a-nearest.png");
  expect(complete({"--nearest", "3"}, points), SampleFormat::kNpy, "a-nearest.npy");
  expect(complete({"--output", "b/c.npy"}, digits), SampleFormat::kNpy, "b/c.npy");
  expect(complete({"--output", "b/c.png"}, digits), SampleFormat::kSheet, "b/c.png");
  expect(complete({"--output", "b/c.csv"}, points), SampleFormat::kCsv, "b/c.csv");
  expect(complete({"--output", "b/c/"}, digits), SampleFormat::kPng, "b/c");
  expect(complete({"--output", "b/c.npy", "--format", "png"}, digits), SampleFormat::kPng,
         "b/c.npy");
}

TEST(GenerateRequest, makes_a_line_for_each_class_unless_one_is_named) {
  const auto classes = of_model("mlp", 5);
  EXPECT_EQ(complete({"--between", "1,2", "--between", "3,4"}, classes).n, 100U);
  EXPECT_EQ(complete({"--between", "1,2", "--class", "4", "--steps", "3"}, classes).n, 3U);
  EXPECT_EQ(complete({"--between", "1,2"}, of_model("mlp")).n, 10U);
}

TEST(GenerateRequest, says_what_a_mixture_cannot_do) {
  const auto digits = of_model("mlp");
  const auto points = of_model("mlp-2d");
  const std::vector<std::tuple<std::vector<std::string>, worker::MixtureDescription, std::string>>
      cases{
          {{"--format", "csv"}, digits, "--format csv: is for points"},
          {{"--format", "png"}, points, "--format png: is for images"},
          {{"--nearest", "2", "--format", "sheet"}, points, "shows no neighbours of points"},
          {{"--class", "0"}, digits, "--class: this run's networks are not told classes"},
          {{"--class", "5"}, of_model("mlp", 5), "--class: expected a class from 0 to 4, found 5"},
          {{"--between", "1,2"}, of_model("pix2pix32"), "translates images, and has no latents"},
          {{"--number", "10000001"}, digits, "makes a file of each sample"}};
  for (const auto& [options, mixture, message] : cases) {
    const auto ask = [&given = options, &of = mixture] { complete(given, of); };
    EXPECT_THAT(ask, ThrowsMessage<ConfigError>(HasSubstr(message)));
  }
  auto odd = digits;
  odd.shape = {14, 28, 2};
  EXPECT_THAT([&] { complete({}, odd); },
              ThrowsMessage<ConfigError>(HasSubstr("these images have 2 channels; choose npy")));
}

}  // namespace
}  // namespace lipizz::app::generate_request_test
