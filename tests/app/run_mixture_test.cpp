#include "app/run_mixture.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/json.hpp"
#include "core/error.hpp"
#include "finished_run.hpp"

namespace lipizz::app::run_mixture_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class RunMixtureTest : public FinishedRunTest {
 protected:
  [[nodiscard]] CommandLine line(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"generate", base_ / "run"});
    return parse_command_line(options);
  }
  void expect_error(const CommandLine& given, bool is_best, const std::string& message) const {
    EXPECT_THAT(
        [&] {
          RunMixture mixture(given, given.arguments.front(), is_best);
          mixture.sampler();
        },
        ThrowsMessage<ConfigError>(HasSubstr(message)));
  }
  void change_configuration(const std::string& assignment) const {
    config::Experiment experiment;
    config::apply_file(base_ / "run/config.json", experiment);
    config::apply_assignment(assignment, experiment);
    std::ofstream(base_ / "run/config.json") << config::to_json(experiment);
  }
};

TEST_F(RunMixtureTest, has_the_final_and_the_best) {
  RunMixture final(line(), base_ / "run", false);
  EXPECT_EQ(final.about().generation, 3U);
  EXPECT_EQ(final.about().generators.size(), 2U);
  EXPECT_FALSE(final.is_of_pairs());
  EXPECT_EQ(final.dataset().name(), "ring8");
  std::uint32_t n = 0;
  final.sampler().draw({}, 5, [&](std::uint32_t, std::span<const float> samples, auto) {
    n += static_cast<std::uint32_t>(samples.size());
  });
  EXPECT_EQ(n, 10U);
  EXPECT_LE(RunMixture(line(), base_ / "run", true).about().generation, 3U);
}

TEST_F(RunMixtureTest, names_what_is_there_where_the_run_has_not_finished) {
  fs::rename(base_ / "run/mixture", base_ / "final");
  expect_error(line(), false, "--best takes the best mixture so far, mixture-best/");
  fs::remove_all(base_ / "run/mixture-best");
  expect_error(line(), false, "nor has it a mixture-best/ yet");
  expect_error(line(), true, "let it train until a generation is scored");
  fs::rename(base_ / "final", base_ / "run/mixture");
  expect_error(line(), true, "leave --best out for the final one");
}

TEST_F(RunMixtureTest, is_computed_as_the_run_was_unless_asked) {
  change_configuration("numerics=avx512");
  expect_error(line(), false,
               "the run was computed with these, and samples of other last bits are made with "
               "--set numerics=baseline");
  RunMixture other(line({"--set", "numerics=baseline"}), base_ / "run", false);
  other.sampler();
  change_configuration("device=cpu");
  change_configuration("precision=bf16");
  change_configuration("numerics=amx");
  expect_error(line(), false, "numerics level avx512 is asked for");
  expect_error(line({"--set", "numerics=avx512_bf16"}), false,
               "numerics: avx512_bf16 is for precision bf16");
  EXPECT_EQ(RunMixture(line({"--set", "numerics=baseline"}), base_ / "run", false)
                .experiment()
                .compute.numerics,
            "baseline");
  change_configuration("numerics=baseline");
  change_configuration("device=cuda");
  RunMixture mixture(line(), base_ / "run", false);
  mixture.sampler();
  EXPECT_EQ(mixture.experiment().compute.device, "cpu");
  EXPECT_EQ(mixture.experiment().compute.precision, "f32");
}

TEST_F(RunMixtureTest, cannot_be_told_to_be_of_another_run) {
  expect_error(line({"--set", "model=mlp"}), false,
               "--set model: the run is what it is; only what computes can be chosen: engine,");
  const CommandLine none = parse_command_line(std::vector<std::string>{"generate", base_});
  expect_error(none, false, "generate ");
}

}  // namespace
}  // namespace lipizz::app::run_mixture_test
