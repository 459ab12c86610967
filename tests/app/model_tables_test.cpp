#include "app/model_tables.hpp"

#include <gmock/gmock.h>

#include "nn/network/models.hpp"

namespace lipizz::app::model_tables_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(ModelTables, have_every_model) {
  const std::string text = model_tables();
  for (const nn::ModelEntry& model : nn::models()) {
    EXPECT_THAT(text, HasSubstr(std::string(model.name) + ": " + std::string(model.summary)));
  }
}

// 64 -> 256 -> 256 -> 784: 256 * 64 + 256 parameters and 2 * 64 * 256 operations in the first
// layer.
TEST(ModelTables, have_layers_and_totals) {
  const std::string text = model_tables();
  EXPECT_THAT(text, ContainsRegex("  0 linear +\\[256\\] +16,640 +0\\.033\n"));
  EXPECT_THAT(text, ContainsRegex("  2 linear +\\[784\\] +201,488 +0\\.401\n"));
  EXPECT_THAT(text,
              ContainsRegex("  0 transposed-convolution +\\[7, 7, 128\\] +627,200 +1\\.254\n"));
  EXPECT_THAT(text, HasSubstr("  550,929 parameters; "));
  EXPECT_THAT(text, ContainsRegex("a cell at batch 100: parameters 2\\.2 MB, moments 4\\.4 MB, "
                                  "workspace [0-9.]+ MB"));
}

}  // namespace
}  // namespace lipizz::app::model_tables_test
