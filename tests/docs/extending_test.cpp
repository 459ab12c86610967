#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "nn/base/losses/smoothed.hpp"
#include "nn/layer_conformance.hpp"
#include "nn/loss_conformance.hpp"
#include "nn/network/layers/dense_block.hpp"

// The layer and the loss that docs/extending.md adds.
namespace lipizz::nn {
namespace {

const std::filesystem::path kDocs = std::filesystem::path(LIPIZZ_SOURCE_DIR) / "docs";

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Extending, shows_the_files_that_are_compiled) {
  const std::string page = text_of(kDocs / "extending.md");
  int n_files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kDocs / "examples")) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), kDocs / "examples").string();
    EXPECT_THAT(page, ::testing::HasSubstr("`src/" + name + "`:\n\n```cpp\n" +
                                           text_of(entry.path()) + "```\n"));
    ++n_files;
  }
  EXPECT_EQ(n_files, 3);
}

TEST(Extending, its_layer_conforms) {
  const Layer layer{.outputs = 3,
                    .activation = Activation::kTanh,
                    .kind = &kDenseBlockLayer,
                    .window = {.kernel = 3}};
  testing::expect_conformance({layer, {4, 5, 2}, {4, 5, 5}, {"0.weight"}});
}

TEST(Extending, its_loss_conforms) {
  testing::expect_conformance(Loss(kSmoothed));
}

}  // namespace
}  // namespace lipizz::nn
