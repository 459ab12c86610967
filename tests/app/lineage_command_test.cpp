#include "app/lineage_command.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/run_in_process.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app::lineage_command_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

class LineageCommand : public RunsTest {
 protected:
  void train(const config::Experiment& experiment) {
    ASSERT_EQ(run_in_process(experiment, into("run"), 2, clock_), 0);
  }

  std::string lineage_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"lineage", (base_ / "run").string()});
    std::ostringstream out;
    EXPECT_EQ(lineage_command(parse_command_line(arguments), out), 0);
    return out.str();
  }

  // Leaves out a line of metrics, counted from 0.
  void drop_line(std::size_t dropped) {
    std::vector<std::string> lines;
    std::ifstream in(base_ / "run" / "metrics.jsonl");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::ofstream out(base_ / "run" / "metrics.jsonl");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i != dropped) out << lines[i] << "\n";
    }
  }

  const SystemClock clock_;
};

TEST_F(LineageCommand, tells_the_rate_that_follows_the_batch) {
  config::Experiment experiment = small(2);
  experiment.generator.rate_scaling = {"linear", 2 * experiment.data.batch_size};
  train(experiment);
  const json all = json::parse(lineage_with({"--json"}));
  EXPECT_EQ(all.back()["rate"], 1e-3 / 2);
}

TEST_F(LineageCommand, goes_from_the_best_cell_back_to_the_seed) {
  train(small(2));
  const json all = json::parse(lineage_with({"--json"}));
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0]["generation"], 3);
  EXPECT_EQ(all[0]["col"], result("run")["best_cell"]["col"]);
  EXPECT_EQ(all[3]["event"], "seeded");
  EXPECT_EQ(all[3]["rate"], 1e-3);
  EXPECT_THAT(lineage_with({}), StartsWith("the generator of cell 0,"));
}

TEST_F(LineageCommand, is_of_the_network_cell_and_generation_that_is_asked_for) {
  train(small(2));
  const json all = json::parse(
      lineage_with({"0,1", "--generation", "2", "--network", "discriminator", "--json"}));
  EXPECT_EQ(all[0]["generation"], 2);
  EXPECT_EQ(all[0]["col"], 1);
  EXPECT_EQ(all[0]["objective"], "bce");
  EXPECT_THAT(lineage_with({"0,1", "--network", "discriminator"}),
              StartsWith("the discriminator of cell 0,1 at generation 3"));
}

TEST_F(LineageCommand, of_a_mixture_has_all_its_members) {
  train(small(3));
  const json all = json::parse(lineage_with({"0,1", "--mixture", "--json"}));
  ASSERT_EQ(all["members"].size(), 3U);
  EXPECT_EQ(all["members"][0]["lineage"][0]["generation"], 3);
  EXPECT_EQ(all["members"][1]["lineage"][0]["generation"], 2);
  EXPECT_THAT(lineage_with({"--mixture"}), HasSubstr("weight "));
}

TEST_F(LineageCommand, says_that_networks_were_mixed) {
  config::Experiment experiment = small(2);
  train(experiment);
  EXPECT_THAT(lineage_with({}), Not(HasSubstr("recombination")));
  std::filesystem::remove_all(base_ / "run");
  experiment.operators.recombination = {"average"};
  train(experiment);
  EXPECT_THAT(lineage_with({}), HasSubstr("\nrecombination average: "));
  EXPECT_THAT(lineage_with({"--mixture"}), HasSubstr("\nrecombination average: "));
}

TEST_F(LineageCommand, tells_what_it_can_and_names_the_line_that_is_missing) {
  config::Experiment experiment = small(1);
  train(experiment);
  drop_line(1);
  std::ostringstream out;
  EXPECT_THAT(
      [&] {
        lineage_command(parse_command_line(std::vector<std::string>{"lineage", base_ / "run"}),
                        out);
      },
      ThrowsMessage<CheckpointError>(
          AllOf(HasSubstr("metrics.jsonl"), HasSubstr("generation 2 of cell 0,0"))));
  EXPECT_THAT(out.str(), HasSubstr("older ones are not known"));
}

TEST_F(LineageCommand, refuses_what_the_run_does_not_have) {
  train(small(1));
  EXPECT_THROW(lineage_with({"0,1"}), ConfigError);
  EXPECT_THROW(lineage_with({"--generation", "4"}), ConfigError);
  EXPECT_THROW(lineage_with({"--network", "critic"}), ConfigError);
  EXPECT_THROW(lineage_with({"--network", "discriminator", "--mixture"}), ConfigError);
  EXPECT_THROW(lineage_with({"--generation", "0"}), ConfigError) << "no cell was scored there";
  EXPECT_EQ(json::parse(lineage_with({"0,0", "--generation", "0", "--json"})).size(), 1U);
  std::filesystem::resize_file(base_ / "run" / "metrics.jsonl", 0);
  EXPECT_THROW(lineage_with({}), ConfigError);
}

}  // namespace
}  // namespace lipizz::app::lineage_command_test
