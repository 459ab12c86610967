#include "setup/engine.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::setup::engine_test {
namespace {

TEST(Engine, the_table_of_convolutions_is_the_file_s_or_the_build_s) {
  config::Experiment experiment;
  EXPECT_EQ(convolutions_of(experiment).hash(), nn::ConvolutionTable::committed().hash());
  experiment.compute.convolution_table_hash = to_hex(nn::ConvolutionTable::committed().hash());
  EXPECT_NO_THROW(convolutions_of(experiment));
  experiment.compute.convolution_table_hash = "0123456789abcdef";
  EXPECT_THROW(convolutions_of(experiment), ConfigError);
  experiment.compute.convolution_table = "/nowhere";
  EXPECT_THROW(convolutions_of(experiment), ConfigError);
}

TEST(Engine, has_the_precision_of_the_processor_where_that_computes) {
  config::Experiment experiment;
  experiment.compute.engine = "onednn";
  experiment.compute.precision = "bf16";
  const auto engine_on = [&](const char* device) {
    experiment.compute.device = device;
    return engine_of(experiment, "amx", nn::ConvolutionTable::committed());
  };
  EXPECT_EQ(engine_on("cpu").precision, nn::Precision::kBf16);
  EXPECT_EQ(engine_on("cpu").level, nn::NumericsLevel::kAmx);
  EXPECT_EQ(engine_on("cuda").precision, nn::Precision::kF32) << "the host's own plans";
  EXPECT_EQ(engine_on("cuda").level, nn::NumericsLevel::kAvx512) << "of the same bits";
}

TEST(Engine, pipelines_are_as_they_are_configured) {
  config::Experiment experiment;
  EXPECT_EQ(pipeline_of(experiment).n_stages, 1U);
  EXPECT_EQ(pipeline_of(experiment).schedule, nn::PipelineSchedule::k1F1B);
  EXPECT_EQ(pipeline_of(experiment).balance, nn::PipelineBalance::kTime);
  experiment.compute.pipeline = {.stages = 3, .schedule = "gpipe", .balance = "memory"};
  EXPECT_EQ(pipeline_of(experiment).n_stages, 3U);
  EXPECT_EQ(pipeline_of(experiment).schedule, nn::PipelineSchedule::kGpipe);
  EXPECT_EQ(pipeline_of(experiment).balance, nn::PipelineBalance::kMemory);
}

TEST(Engine, levels_with_bf16_are_offered_where_a_processor_may_compute_in_it) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  config::Experiment experiment;
  experiment.compute.engine = "onednn";
  const auto highest_on = [&](const char* device, const char* precision) {
    experiment.compute.device = device;
    experiment.compute.precision = precision;
    return nn::parse_numerics_level(numerics_levels(experiment).back());
  };
  const nn::NumericsLevel in_f32 = nn::detect_numerics_level();
  const nn::NumericsLevel in_bf16 = nn::detect_numerics_level(nn::Precision::kBf16);
  EXPECT_EQ(highest_on("cpu", "f32"), in_f32);
  EXPECT_EQ(highest_on("cuda", "bf16"), in_f32);
  EXPECT_EQ(highest_on("cpu", "bf16"), in_bf16);
  EXPECT_EQ(highest_on("auto", "bf16"), in_bf16);
}

TEST(Engine, the_reference_engine_offers_the_baseline_alone) {
  config::Experiment experiment;
  experiment.compute.engine = "reference";
  EXPECT_THAT(numerics_levels(experiment), ::testing::ElementsAre("baseline"));
}

}  // namespace
}  // namespace lipizz::setup::engine_test
