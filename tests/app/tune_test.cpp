#include "app/tune.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/operations.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::app::tune_test {
namespace {

using nn::ConvolutionAlgorithm;

config::Experiment small() {
  config::Experiment experiment;
  experiment.model.name = "dcgan28";
  experiment.compute.engine = "onednn";
  experiment.compute.numerics = "baseline";
  experiment.data.batch_size = 3;
  return experiment;
}

// Pretends that weight gradients are faster as products of windows, all else as primitives.
double pretended(const nn::Engine&, const nn::Graph& graph, nn::ValueId value,
                 ConvolutionAlgorithm algorithm) {
  const bool is_weight_gradient = graph.node(value).operation == &nn::kConvolutionWeightGradient;
  if (algorithm == ConvolutionAlgorithm::kKn2row) return 5e-3;
  if (algorithm == ConvolutionAlgorithm::kWinograd) return 6e-3;
  if (algorithm == ConvolutionAlgorithm::kWinograd4) return 6.5e-3;
  return is_weight_gradient == (algorithm == ConvolutionAlgorithm::kIm2col) ? 2e-3 : 7e-3;
}

TEST(Tune, decides_for_the_faster_way_of_every_convolution) {
  std::vector<std::string> lines;
  const nn::ConvolutionTable table =
      tuned(small(), pretended, [&](const std::string& line) { lines.push_back(line); });
  const nn::GanSpec gan = nn::make_model("dcgan28");
  std::size_t n_convolutions = 0;
  for (const auto& step :
       {nn::generator_step_graph(gan, {}, 3), nn::discriminator_step_graph(gan, {}, 3)}) {
    for (const nn::ValueId value : step.graph.live_operations()) {
      if (!nn::is_convolution(step.graph, value)) continue;
      ++n_convolutions;
      const bool is_weight_gradient =
          step.graph.node(value).operation == &nn::kConvolutionWeightGradient;
      EXPECT_EQ(table.find(nn::case_of(step.graph, value, nn::NumericsLevel::kBaseline)),
                is_weight_gradient ? ConvolutionAlgorithm::kIm2col
                                   : ConvolutionAlgorithm::kOneDnnPrimitive);
    }
  }
  EXPECT_GT(lines.size(), 3U);
  EXPECT_LE(lines.size(), 2 + n_convolutions);
  EXPECT_THAT(table.to_json(), ::testing::HasSubstr("\"im2col_us\":2000,\"kn2row_us\":5000,"
                                                    "\"winograd_us\":6000,\"winograd4_us\":6500,"
                                                    "\"onednn_us\":7000"));
}

TEST(Tune, keeps_what_the_experiment_s_table_has_of_other_shapes) {
  const nn::ConvolutionTable table = tuned(small(), pretended, [](const std::string&) {});
  const std::string before = nn::ConvolutionTable::committed().to_json();
  std::size_t n_kept = 0;
  for (std::size_t at = 0; at < before.size();) {
    const std::size_t end = before.find('\n', at);
    const std::string row = before.substr(at, end - at);
    if (row.ends_with("},") && table.to_json().find(row) != std::string::npos) ++n_kept;
    at = end + 1;
  }
  EXPECT_GT(n_kept, 100U);
}

TEST(Tune, measures_products_of_pairs_in_bf16_for_a_level_of_their_own) {
  config::Experiment experiment = small();
  experiment.compute.precision = "bf16";
  EXPECT_THROW(tuned(experiment, pretended, [](const std::string&) {}), ConfigError)
      << "at the baseline";
  if (!nn::has_bf16(nn::detect_numerics_level(nn::Precision::kBf16))) GTEST_SKIP() << "no bf16";
  experiment.compute.numerics = "avx512_bf16";
  std::string head;
  const nn::ConvolutionTable table = tuned(
      experiment,
      [](const nn::Engine& engine, const nn::Graph& graph, nn::ValueId value,
         ConvolutionAlgorithm algorithm) {
        EXPECT_EQ(engine.precision, nn::Precision::kBf16);
        return pretended(engine, graph, value, algorithm);
      },
      [&](const std::string& line) { head += head.empty() ? line : ""; });
  EXPECT_EQ(head, "numerics avx512_bf16, precision bf16:");
  EXPECT_THAT(table.to_json(),
              ::testing::ContainsRegex(R"("x":\[3,.*"precision":"bf16","numerics":"avx512_bf16")"));
}

TEST(Tune, an_engine_with_one_way_is_refused) {
  config::Experiment experiment = small();
  experiment.compute.engine = "reference";
  EXPECT_THROW(tuned(experiment, pretended, [](const std::string&) {}), ConfigError);
}

TEST(Tune, measures_each_way_in_seconds) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "a build without oneDNN";
  const nn::Engine engine{nn::Backend::kOneDnn, nn::detect_numerics_level()};
  nn::Graph g;
  const nn::SlotId slot = g.add_slot("", 1000, nn::Slot::Access::kReadWrite);
  const nn::ValueId y =
      g.apply(nn::kConvolution, {g.view(slot, 0, {1, 4, 4, 2}), g.view(slot, 0, {1, 1, 2, 2})}, {});
  for (const ConvolutionAlgorithm algorithm :
       {ConvolutionAlgorithm::kIm2col, ConvolutionAlgorithm::kOneDnnPrimitive}) {
    EXPECT_GT(seconds_of(engine, g, y, algorithm), 0);
  }
}

}  // namespace
}  // namespace lipizz::app::tune_test
