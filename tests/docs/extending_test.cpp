#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "coev/operator_conformance.hpp"
#include "coev/rate_mutation/two_point.hpp"
#include "coev/selection/linear_ranking.hpp"
#include "nn/base/losses/smoothed.hpp"
#include "nn/layer_conformance.hpp"
#include "nn/loss_conformance.hpp"
#include "nn/network/layers/dense_block.hpp"

// The operators, losses and layers that docs/extending.md adds.
namespace lipizz::nn::extending_test {
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
  EXPECT_EQ(n_files, 7);
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

TEST(Extending, its_operators_conform) {
  using coev::testing::broken_properties;
  EXPECT_THAT(broken_properties(coev::kLinearRankingSelection), ::testing::IsEmpty());
  EXPECT_THAT(broken_properties(coev::kTwoPointRateMutation), ::testing::IsEmpty());
}

TEST(Extending, its_selection_draws_by_rank) {
  const std::vector<CellId> cells{{2}, {0}, {1}};
  const std::vector<double> fitness{3, 1, 2};
  const std::vector<double> pressure{2};
  std::vector<int> counts(3);
  constexpr std::uint32_t kDraws = 9000;
  for (std::uint32_t g = 0; g < kDraws; ++g) {
    const Random random(1, Purpose::kSelection, {0}, g);
    const coev::SelectionInput input{fitness, cells, random, coev::NetworkRole::kGenerator};
    ++counts[coev::kLinearRankingSelection.select(input, pressure)];
  }
  // Two thirds, one third and none.
  const double deviation = std::sqrt(kDraws * 2.0 / 9);
  EXPECT_NEAR(counts[1], kDraws * 2.0 / 3, 4 * deviation);
  EXPECT_NEAR(counts[2], kDraws / 3.0, 4 * deviation);
  EXPECT_EQ(counts[0], 0);
}

}  // namespace
}  // namespace lipizz::nn::extending_test
