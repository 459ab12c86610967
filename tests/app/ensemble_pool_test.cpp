#include "app/ensemble_pool.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "two_runs.hpp"

namespace lipizz::app::ensemble_pool_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class EnsemblePoolTest : public TwoRunsTest {
 protected:
  void expect_error(const CommandLine& given, const std::string& message) const {
    EXPECT_THAT([&] { EnsemblePool(given, false); },
                ThrowsMessage<ConfigError>(HasSubstr(message)));
  }
};

TEST_F(EnsemblePoolTest, has_the_generators_of_all_runs) {
  EnsemblePool pool(line(), false);
  ASSERT_EQ(pool.members().size(), 4U);
  EXPECT_EQ(pool.name(1), base_ / "two");
  EXPECT_EQ(pool.members()[3].run, 1U);
  EXPECT_EQ(pool.members()[3].generator, 1U);
  const auto& two = pool.runs()[1]->mixture();
  EXPECT_EQ(pool.about(pool.members()[3]).file, two.about.generators[1].file);
  EXPECT_EQ(pool.parameters(pool.members()[3]).data(), two.parameters[1].data());
  EXPECT_EQ(pool.samples_of_examples(pool.members()[0]),
            pool.first().mixture().examples.samples[0]);
  EXPECT_NE(pool.samples_of_examples(pool.members()[2]), two.examples.samples[0]);
}

TEST_F(EnsemblePoolTest, is_of_runs_that_agree) {
  const std::vector<std::string> twice{"ensemble", base_ / "one", base_ / "two/../one"};
  expect_error(parse_command_line(twice), "two/../one: this run is named twice");
  train("other", [](config::Experiment& experiment) { experiment.data.dataset = "grid25"; });
  const std::vector<std::string> with_other{"ensemble", base_ / "one", base_ / "other"};
  expect_error(parse_command_line(with_other), "expected the dataset ring8, as ");
  fs::remove_all(base_ / "other");
  train("other", [](config::Experiment& experiment) {
    experiment.model.name = {};
    config::apply_assignment(
        R"(model={"generator": {"inputs": [4], "layers": [{"kind": "linear", "outputs": 2}]},
                  "discriminator": {"inputs": [2], "layers": [{"kind": "linear", "outputs": 1}]}})",
        experiment);
  });
  expect_error(parse_command_line(with_other), "expected the same network of generators, as ");
}

TEST_F(EnsemblePoolTest, finds_what_is_damaged_or_missing) {
  fs::rename(base_ / "two/mixture/cell-0.safetensors", base_ / "kept");
  fs::copy(base_ / "two/mixture/cell-1.safetensors", base_ / "two/mixture/cell-0.safetensors");
  EXPECT_THAT(
      [&] { EnsemblePool(line(), false); },
      ThrowsMessage<CheckpointError>(HasSubstr("two/mixture/cell-0.safetensors: expected")));
  fs::remove_all(base_ / "two/mixture");
  expect_error(line(), "two: expected mixture/, which a run writes when it has finished");
}

}  // namespace
}  // namespace lipizz::app::ensemble_pool_test
