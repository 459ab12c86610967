#include "app/ensemble_request.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/error.hpp"

namespace lipizz::app::ensemble_request_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

EnsembleRequest request_of(std::vector<std::string> options) {
  options.insert(options.begin(), {"ensemble", "run"});
  return ensemble_request(parse_command_line(options));
}

TEST(EnsembleRequest, has_defaults) {
  const EnsembleRequest request = request_of({"--output", "both/"});
  EXPECT_EQ(request.output, "both");
  EXPECT_EQ(request.weighting->name, "genetic");
  EXPECT_EQ(request.n_samples, 10'000U);
  EXPECT_EQ(request.seed, 1U);
  EXPECT_FALSE(request.size);
  EXPECT_FALSE(request.is_best);
}

TEST(EnsembleRequest, takes_the_weighting_as_the_setting_has_it) {
  const EnsembleRequest request =
      request_of({"--output", "both", "--weighting", R"({"kind": "pattern-search", "step": 0.25})",
                  "--size", "3", "--number", "50", "--seed", "7", "--best"});
  EXPECT_EQ(request.weighting->name, "pattern-search");
  EXPECT_THAT(request.weighting.values(), ::testing::ElementsAre(0.25, 0.05));
  EXPECT_EQ(request.size, 3U);
  EXPECT_EQ(request.n_samples, 50U);
  EXPECT_EQ(request.seed, 7U);
  EXPECT_TRUE(request.is_best);
}

TEST(EnsembleRequest, says_what_was_expected) {
  const auto expect = [](const std::vector<std::string>& options, const std::string& message) {
    EXPECT_THAT([&] { request_of(options); }, ThrowsMessage<ConfigError>(HasSubstr(message)));
  };
  expect({}, "ensemble: expected --output DIR");
  expect({"--output", "a", "--size", "0"}, "--size: expected a whole number from 1 to ");
  expect({"--output", "a", "--number", "1"}, "--number: expected a whole number from 2 to ");
  expect({"--output", "a", "--seed", "-1"}, "--seed: expected a whole number from 0 to ");
  expect({"--output", "a", "--weighting", "genetics"}, "did you mean");
  expect({"--output", "a", "--weighting", "recall"}, "expected one by scores");
  expect({"--output", "a", "--weighting", R"({"kind": "genetic", "population": 1})"}, "4 to 1000");
}

}  // namespace
}  // namespace lipizz::app::ensemble_request_test
