#include "worker/mixture_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/safetensors.hpp"
#include "nn/layer_examples.hpp"
#include "read_mixture.hpp"

namespace lipizz::worker::mixture_folder_test {
namespace {

namespace fs = std::filesystem;
using testing::Ended;
using ::testing::HasSubstr;
using testing::kClasses;
using testing::ReadMixture;

// The reader, which is Python, against this program's engines; larger models have a test of their
// own, large_mixtures_test.cpp.
TEST(MixtureFolder, is_read_elsewhere_to_the_same_samples_of_every_small_model) {
  testing::expect_models_read([](std::size_t n_parameters) { return n_parameters <= 1'000'000; });
}

// As a generator of its own, which a written-out model may be.
TEST(MixtureFolder, is_read_elsewhere_whatever_its_layers) {
  std::vector<std::unique_ptr<ReadMixture>> folders;
  std::string paths;
  for (const auto& example : nn::testing::layer_examples()) {
    const nn::GanSpec model{nn::testing::alone(example), {example.outputs, {{.outputs = 1}}}};
    folders.push_back(
        std::make_unique<ReadMixture>("layer" + std::to_string(folders.size()), model, 4));
    paths += " " + folders.back()->path().string();
  }
  std::ofstream(folders.front()->path() / "all.py")
      << "import sys\nfrom read_mixture import Mixture\n"
         "for folder in sys.argv[1:]:\n    Mixture(folder).check()\n";
  const Ended ended =
      testing::run(LIPIZZ_PYTHON " -B " + (folders.front()->path() / "all.py").string() + paths);
  EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST(MixtureFolder, is_sampled_elsewhere) {
  const ReadMixture folder("sampled", nn::make_model("dcgan28", {.n_classes = kClasses}), 2);
  const fs::path samples = folder.path() / "samples.npy";
  const Ended ended = folder.read("--samples 5 --seed 1 --output " + samples.string());
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_GT(fs::file_size(samples), 5 * 28 * 28 * sizeof(float));
}

TEST(MixtureFolder, notices_samples_of_other_generators) {
  const ReadMixture folder("exchanged", nn::make_model("mlp-2d"), 8);
  fs::rename(folder.path() / "cell-0.safetensors", folder.path() / "cell-1.safetensors");
  fs::copy(folder.path() / "cell-1.safetensors", folder.path() / "cell-0.safetensors");
  const Ended ended = folder.read();
  EXPECT_NE(ended.status, 0);
  EXPECT_THAT(ended.output, HasSubstr("cell-1.safetensors: expected samples within 0.0001"));
}

TEST(MixtureFolder, a_damaged_file_is_refused_in_one_line) {
  const ReadMixture folder("damaged", nn::make_model("mlp-2d"), 8);
  const fs::path weights = folder.path() / "cell-1.safetensors";
  const auto n_bytes = fs::file_size(weights);
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{100}, n_bytes - 4}) {
    fs::resize_file(weights, length);
    const Ended ended = folder.read();
    EXPECT_NE(ended.status, 0);
    EXPECT_THAT(ended.output, HasSubstr("the file is damaged or not written by lipizz"));
    EXPECT_EQ(std::ranges::count(ended.output, '\n'), 1) << ended.output;
  }
  std::ofstream(weights, std::ios::binary)
      << std::string(8, '\x7f') << "{}";  // announces 9e18 bytes
  EXPECT_THAT(folder.read().output, HasSubstr("its header is cut off"));
}

TEST(MixtureFolder, says_what_generators_take_and_give) {
  const auto digits =
      ReadMixture("a", nn::make_model("mlp", {.n_classes = kClasses}), 8).description();
  EXPECT_EQ(digits["format"], "lipizz mixture 1");
  EXPECT_EQ(
      digits["noise"],
      nlohmann::json::parse(R"({"distribution":"normal","mean":0,"deviation":1,"shape":[64]})"));
  EXPECT_EQ(digits["condition"], nullptr);
  EXPECT_EQ(digits["classes"], 3);
  EXPECT_EQ(digits["sample"],
            nlohmann::json::parse(R"({"kind":"image","shape":[28,28,1],"range":[-1,1]})"));
  EXPECT_EQ(digits["generators"][1],
            nlohmann::json::parse(R"({"file":"cell-1.safetensors","row":0,"col":1,"weight":0.5})"));
  EXPECT_EQ(digits["examples"],
            nlohmann::json::parse(R"({"file":"examples.safetensors","n":8,"tolerance":0.0001})"));
  const auto pairs = ReadMixture("b", nn::make_model("pix2pix32"), 2).description();
  EXPECT_EQ(pairs["noise"], nullptr);
  EXPECT_EQ(pairs["condition"]["shape"], nlohmann::json::parse("[32,32,1]"));
  EXPECT_EQ(pairs["sample"]["kind"], "pair");
}

TEST(MixtureFolder, has_the_examples_inputs_and_classes) {
  const ReadMixture folder("examples", nn::make_model("mlp", {.n_classes = kClasses}), 8);
  const auto file = checkpoint::read_tensors(folder.path() / "examples.safetensors");
  std::vector<std::string> names;
  for (const auto& tensor : file.tensors()) names.push_back(tensor.name);
  EXPECT_THAT(names, ::testing::ElementsAre("inputs", "labels", "cell-0.safetensors",
                                            "cell-1.safetensors"));
  EXPECT_THAT(file.tensors()[0].shape, ::testing::ElementsAre(8, 64));
  EXPECT_EQ(file.tensors()[1].type, checkpoint::DType::kI64);
  EXPECT_THAT(file.tensors()[2].shape, ::testing::ElementsAre(8, 28, 28, 1));
}

}  // namespace
}  // namespace lipizz::worker::mixture_folder_test
