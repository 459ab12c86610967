#include "worker/saved_mixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "written_mixture.hpp"

namespace lipizz::worker::saved_mixture_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

TEST(SavedMixture, is_what_was_written) {
  const nn::GanSpec model = nn::make_model("mlp", {.n_classes = 3});
  const testing::WrittenMixture written("saved", model, 4, "mlp", 0.25);
  const SavedMixture mixture = read_mixture(written.path());
  EXPECT_EQ(mixture.about.generation, 7U);
  EXPECT_EQ(mixture.about.row, 0U);
  EXPECT_EQ(mixture.about.column, 1U);
  EXPECT_EQ(mixture.about.model.n_classes(), 3U);
  EXPECT_EQ(mixture.about.kind, data::SampleKind::kImage);
  EXPECT_EQ(mixture.about.shape.size(), 784U);
  ASSERT_EQ(mixture.about.generators.size(), 2U);
  EXPECT_EQ(mixture.about.generators[1].file, "cell-1.safetensors");
  EXPECT_EQ(mixture.about.generators[1].weight, 0.75);
  EXPECT_EQ(mixture.heaviest(), 1U);
  ASSERT_EQ(mixture.parameters.size(), 2U);
  EXPECT_EQ(mixture.parameters[1], testing::parameters_of(model.generator, 2));
  EXPECT_EQ(mixture.examples.n, 4U);
  EXPECT_EQ(mixture.examples.labels, (std::vector<float>{0, 1, 2, 0}));
  EXPECT_EQ(mixture.examples.samples.size(), 2U);
}

TEST(SavedMixture, of_equal_weights_has_the_first_cell_in_front) {
  const testing::WrittenMixture written("equal", nn::make_model("mlp-2d"), 1, "mlp-2d");
  EXPECT_EQ(read_mixture(written.path()).heaviest(), 0U);
}

TEST(SavedMixture, says_what_is_wrong_with_its_description) {
  const testing::WrittenMixture written("described", nn::make_model("mlp-2d"), 1, "mlp-2d");
  const Json whole = written.description();
  const std::vector<std::pair<std::function<void(Json&)>, std::string>> cases{
      {[](Json& json) { json["format"] = "lipizz mixture 2"; }, "\"lipizz mixture 1\""},
      {[](Json& json) { json.erase("sample"); }, "expected sample, found none"},
      {[](Json& json) { json["model"] = "mlp-3d"; }, "mlp-2d"},
      {[](Json& json) { json["classes"] = -1; }, "classes: expected a whole number"},
      {[](Json& json) { json["sample"]["shape"] = {3}; }, "samples of 2; found 3"},
      {[](Json& json) { json["sample"]["kind"] = "image"; }, "three of images"},
      {[](Json& json) { json["generators"][0]["file"] = "../other"; }, "expected a file's name"},
      {[](Json& json) { json["generators"][0]["weight"] = 0.9; }, "weights that sum to 1"},
      {[](Json& json) { json["generators"][0]["weight"] = -0.5; }, "weight: expected 0 to 1"},
      {[](Json& json) { json["generators"] = Json::array(); }, "expected a list of 1 to"},
      {[](Json& json) { json["examples"]["n"] = 1e300; }, "n: expected a whole number"},
      {[](Json& json) { json = "text"; }, "expected an object"}};
  for (const auto& [change, message] : cases) {
    Json changed = whole;
    change(changed);
    EXPECT_THAT([&] { parse_mixture_description(changed.dump(), "a/mixture.json"); },
                ThrowsMessage<CheckpointError>(
                    AllOf(HasSubstr("a/mixture.json"), HasSubstr(message), HasSubstr("damaged"))));
  }
  EXPECT_THROW(parse_mixture_description(whole.dump().substr(1), "x"), CheckpointError);
  EXPECT_THROW(parse_mixture_description("", "x"), CheckpointError);
}

TEST(SavedMixture, says_which_file_is_missing_damaged_or_of_another_network) {
  const testing::WrittenMixture written("files", nn::make_model("mlp-2d"), 1, "mlp-2d");
  const testing::WrittenMixture other("other", nn::make_model("mlp"), 1, "mlp");
  const auto expect = [&](const std::string& message) {
    EXPECT_THAT([&] { read_mixture(written.path()); },
                ThrowsMessage<CheckpointError>(HasSubstr(message)));
  };
  const fs::path weights = written.path() / "cell-1.safetensors";
  fs::copy(other.path() / "cell-1.safetensors", weights, fs::copy_options::overwrite_existing);
  expect("cell-1.safetensors: 0.weight: expected F32 [128, 256], found F32 [256, 64]");
  fs::resize_file(weights, fs::file_size(weights) / 2);
  expect("cell-1.safetensors");
  fs::remove(weights);
  expect("cell-1.safetensors: expected a file, found none");
  fs::copy(written.path() / "cell-0.safetensors", weights);
  fs::copy(other.path() / "examples.safetensors", written.path() / "examples.safetensors",
           fs::copy_options::overwrite_existing);
  expect("examples.safetensors: inputs: expected 1 times 256 numbers");
}

}  // namespace
}  // namespace lipizz::worker::saved_mixture_test
