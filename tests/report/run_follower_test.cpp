#include "report/run_follower.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::run_follower_test {
namespace {

using Kind = RunEvent::Kind;

class RunFollowerTest : public ::testing::Test {
 protected:
  RunFollowerTest() {
    config::Experiment experiment;
    experiment.grid.rows = 1;
    write_text(folder_ / "config.json", config::to_json(experiment));
  }

  void happen(RunEvent event) {
    write_text(folder_ / "events.jsonl", events_ += to_line(event) + "\n");
  }
  void begin(Generation from) {
    happen({.kind = Kind::kBegun,
            .generation = from,
            .torus = {1, 2},
            .ranks = {.hosts = {"a", "b"}}});
  }
  void tell(std::uint32_t cell, Generation generation) {
    lines_ += written_line(cell, generation, {1, 2}) + "\n";
    write_text(folder_ / "metrics.jsonl", lines_);
  }
  static bool read(RunFollower& run) {
    return run.read([](const RunEvent&) {});
  }

  TemporaryFolder folder_;
  std::string events_;
  std::string lines_;
};

TEST_F(RunFollowerTest, takes_events_and_scores_as_they_are_written) {
  RunFollower run(folder_.path());
  EXPECT_FALSE(read(run));
  begin(0);
  tell(1, 1);
  EXPECT_TRUE(read(run));
  EXPECT_EQ(run.state().cells.at(1).score, 11);
  EXPECT_EQ(run.hosts().at(1), "b");
  EXPECT_FALSE(read(run));
}

TEST_F(RunFollowerTest, hears_of_each_event_once_and_after_it_was_taken) {
  RunFollower run(folder_.path());
  begin(0);
  happen({.kind = Kind::kSaved, .generation = 7});
  std::vector<Generation> saved;
  const auto hear = [&](const RunEvent&) { saved.push_back(run.state().saved); };
  run.read(hear);
  run.read(hear);
  EXPECT_EQ(saved, (std::vector<Generation>{0, 7}));
}

TEST_F(RunFollowerTest, a_resume_keeps_the_scores_that_are_still_there) {
  RunFollower run(folder_.path());
  begin(0);
  tell(0, 1);
  read(run);
  begin(1);
  read(run);
  EXPECT_EQ(run.state().cells.at(0).score, 10);
}

TEST_F(RunFollowerTest, needs_the_configuration_of_the_run) {
  std::filesystem::remove(folder_ / "config.json");
  EXPECT_THROW(RunFollower(folder_.path()), ConfigError);
}

}  // namespace
}  // namespace lipizz::report::run_follower_test
