#include "app/run_in_process.hpp"

#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app {
namespace {

class RunInProcess : public RunsTest {
 protected:
  const SystemClock clock_;
};

// The first promise, with the real algorithm: two workers, one for each cell, and spares.
TEST_F(RunInProcess, gives_the_same_answer_with_any_number_of_workers) {
  config::Experiment experiment = on_points(2, 2);
  experiment.generations = 2;
  EXPECT_EQ(run_in_process(experiment, into("1"), 1, clock_), 0);
  for (const int n_workers : {2, 4, 6}) {
    const std::string name = std::to_string(n_workers);
    EXPECT_EQ(run_in_process(experiment, into(name), n_workers, clock_), 0);
    EXPECT_EQ(result(name)["fingerprint"], result("1")["fingerprint"]) << name;
    EXPECT_EQ(result(name)["cells"], result("1")["cells"]) << name;
    EXPECT_EQ(metrics(name), metrics("1")) << name;
  }
}

TEST_F(RunInProcess, leaves_what_a_run_leaves) {
  config::Experiment experiment = on_points(1, 2);
  EXPECT_EQ(run_in_process(experiment, into("run"), 2, clock_), 0);
  for (const char* file :
       {"config.json", "metrics.jsonl", "run.log", "result.json", "samples/best-gen001.png",
        "samples/best.png", "samples/grid.png", "mixture/mixture.json"}) {
    EXPECT_TRUE(std::filesystem::exists(base_ / "run" / file)) << file;
  }
  EXPECT_EQ(metrics("run").size(), 6U);
  std::ifstream config(base_ / "run" / "config.json");
  EXPECT_EQ(nlohmann::json::parse(config)["model"], "mlp-2d") << "auto is written out";
}

TEST_F(RunInProcess, data_that_are_not_there_end_it_with_one_error) {
  config::Experiment experiment = on_points(2, 2);
  experiment.data.dataset = "mnist";
  experiment.data.dir = "/nowhere";
  experiment.model = "mlp";
  try {
    run_in_process(experiment, into("run"), 4, clock_);
    FAIL() << "trained on nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
  }
}

TEST_F(RunInProcess, takes_as_many_workers_as_asked_for_but_no_more_than_cells) {
  config::Experiment experiment = on_points(2, 2);
  experiment.threads = 3;
  EXPECT_EQ(default_workers(experiment), 3);
  experiment.threads = 30;
  EXPECT_EQ(default_workers(experiment), 4);
  experiment.threads = 0;
  EXPECT_GE(default_workers(experiment), 1);
}

}  // namespace
}  // namespace lipizz::app
