#include "app/ensemble_command.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/generate_command.hpp"
#include "core/error.hpp"
#include "two_runs.hpp"

namespace lipizz::app::ensemble_command_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class EnsembleCommand : public TwoRunsTest {
 protected:
  std::string make(const std::vector<std::string>& options = {}) const {
    std::ostringstream out;
    EXPECT_EQ(ensemble_command(line(options), out), 0);
    return out.str();
  }
  // By their paths.
  static std::map<std::string, std::string> files(const fs::path& folder) {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      content[entry.path().lexically_relative(folder)] = {std::istreambuf_iterator<char>(file), {}};
    }
    return content;
  }
};

TEST_F(EnsembleCommand, says_what_it_has_made_of_what) {
  EXPECT_THAT(make({"--size", "2"}),
              AllOf(HasSubstr("4 generators of 2 runs, scored by modes on 300 samples"),
                    HasSubstr("score alone"), HasSubstr("the best run's"),
                    HasSubstr("written to " + (base_ / "both").string())));
}

TEST_F(EnsembleCommand, makes_the_same_bytes_and_leaves_the_runs_as_they_were) {
  const auto before = files(base_);
  const std::string first_text = make();
  const auto first = files(base_ / "both");
  fs::remove_all(base_ / "both");
  EXPECT_EQ(make(), first_text);
  EXPECT_EQ(files(base_ / "both"), first);
  fs::remove_all(base_ / "both");
  EXPECT_EQ(files(base_), before);
}

TEST_F(EnsembleCommand, is_no_worse_than_its_best_member) {
  make();
  const auto json = nlohmann::json::parse(std::ifstream(base_ / "both/ensemble.json"));
  double best = INFINITY;
  for (const auto& member : json["members"]) best = std::min(best, member["score"].get<double>());
  EXPECT_LE(json["score"].get<double>(), 1.1 * best);  // of other samples
}

TEST_F(EnsembleCommand, makes_a_folder_that_samples_are_made_of) {
  make();
  const std::vector<std::string> arguments{"generate", base_ / "both", "--number",
                                           "5",        "--output",     base_ / "samples.npy"};
  std::ostringstream out;
  EXPECT_EQ(generate_command(parse_command_line(arguments), out), 0);
  EXPECT_THAT(out.str(), HasSubstr("5 samples of the mixture of cell 0,0"));
}

TEST_F(EnsembleCommand, leaves_nothing_where_it_fails) {
  const auto before = files(base_);
  EXPECT_THAT(
      [&] {
        make({"--set", "seed=3"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("ensemble: --set seed: the run is what it is")));
  EXPECT_EQ(files(base_), before);
  fs::create_directory(base_ / "both");
  EXPECT_THAT([&] { make(); }, ThrowsMessage<ConfigError>(HasSubstr("both exists; remove it, or")));
  EXPECT_EQ(files(base_), before);
}

}  // namespace
}  // namespace lipizz::app::ensemble_command_test
