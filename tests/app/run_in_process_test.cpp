#include "app/run_in_process.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "config/json.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app::run_in_process_test {
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

TEST_F(RunInProcess, a_model_that_is_written_out_is_the_one_that_it_copies) {
  config::Experiment experiment = on_points(1, 2);
  EXPECT_EQ(run_in_process(experiment, into("named"), 2, clock_), 0);
  const auto network = [](const std::string& inputs, const std::string& outputs) {
    return R"({"inputs": [)" + inputs + R"(], "layers": [
        {"kind": "linear", "outputs": 128, "activation": "tanh"},
        {"kind": "linear", "outputs": 128, "activation": "tanh"},
        {"kind": "linear", "outputs": )" +
           outputs + "}]}";
  };
  const std::string model = R"({"generator": )" + network("256", "2") + R"(, "discriminator": )" +
                            network("2", "1") + "}";
  config::apply_value("model", model, "test", experiment);
  EXPECT_EQ(run_in_process(experiment, into("written"), 2, clock_), 0);
  EXPECT_EQ(result("written")["fingerprint"], result("named")["fingerprint"]);
  std::ifstream config(base_ / "written" / "config.json");
  EXPECT_EQ(nlohmann::json::parse(config)["model"]["generator"]["inputs"][0], 256);
}

TEST_F(RunInProcess, data_that_are_not_there_end_it_with_one_error) {
  config::Experiment experiment = on_points(2, 2);
  experiment.data.dataset = "mnist";
  experiment.data.dir = "/nowhere";
  experiment.model.name = "mlp";
  try {
    run_in_process(experiment, into("run"), 4, clock_);
    FAIL() << "trained on nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
  }
}

// With the real algorithm: stopped early, then resumed with fewer workers.
TEST_F(RunInProcess, an_interrupted_run_goes_on_to_the_same_end) {
  config::Experiment experiment = on_points(2, 2);
  experiment.generations = 100'000;
  RunOptions options = into("run");
  const std::jthread somebody = ask_to_stop_in_time(options);
  EXPECT_EQ(run_in_process(experiment, options, 4, clock_), 75);
  const auto stopped = static_cast<std::uint32_t>(metrics("run").size() / 4);
  ASSERT_GE(stopped, 1U);
  experiment.generations = stopped + 1;
  options = {};
  options.resume_dir = base_ / "run";
  options.quiet = true;
  EXPECT_EQ(run_in_process(experiment, options, 2, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("undisturbed"), 2, clock_), 0);
  EXPECT_EQ(result("run")["fingerprint"], result("undisturbed")["fingerprint"]);
  EXPECT_EQ(metrics("run"), metrics("undisturbed"));
}

TEST_F(RunInProcess, a_folder_that_cannot_be_made_ends_it_with_one_error) {
  std::ofstream(base_ / "file") << "in the way";
  EXPECT_THROW(run_in_process(on_points(2, 2), into("file/run"), 4, clock_), ConfigError);
  EXPECT_THROW(run_in_process(on_points(2, 2), into("file"), 4, clock_), ConfigError);
}

// Its log cannot be opened: all workers wait for it already.
TEST_F(RunInProcess, a_master_that_cannot_begin_ends_it_with_one_error) {
  std::filesystem::create_directories(base_ / "run" / "run.log");
  std::ofstream(base_ / "run" / "config.json") << "{}";
  RunOptions options;
  options.resume_dir = base_ / "run";
  try {
    run_in_process(on_points(2, 2), options, 4, clock_);
    FAIL() << "ran without a log";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kCheckpoint);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("run.log"));
  }
}

// A clock that fails whom it is asked by first: the master, when it is about to begin.
TEST_F(RunInProcess, so_does_what_nobody_foresaw) {
  struct BrokenClock final : Clock {
    double now_s() const override {
      if (!was_asked.exchange(true)) throw std::runtime_error("the clock stands still");
      return 0;
    }
    mutable std::atomic<bool> was_asked = false;
  };
  const BrokenClock clock;
  try {
    run_in_process(on_points(2, 2), into("run"), 4, clock);
    FAIL() << "nobody looked at the clock";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "the clock stands still (please report this)");
  }
}

// Telling the end fails, too: two calls of the master's thread fail, one after the other.
TEST_F(RunInProcess, so_does_a_master_that_cannot_tell_its_workers) {
  struct StoppedClock final : Clock {
    explicit StoppedClock(int n_calls) : n_left(n_calls) {}
    double now_s() const override {
      if (std::this_thread::get_id() == master && (--n_left == -1 || n_left == -2)) {
        throw std::runtime_error("the clock stands still");
      }
      return 0;
    }
    const std::thread::id master = std::this_thread::get_id();
    mutable int n_left;
  };
  config::Experiment experiment = on_points(2, 2);
  experiment.generations = 1;
  for (int n_calls = 0; n_calls < 20; ++n_calls) {
    const StoppedClock clock(n_calls);
    const std::string name = std::to_string(n_calls);
    EXPECT_THROW(run_in_process(experiment, into(name), 4, clock), std::exception) << name;
  }
}

TEST_F(RunInProcess, takes_as_many_workers_as_asked_for_but_no_more_than_cells) {
  config::Experiment experiment = on_points(2, 2);
  experiment.compute.threads = 3;
  EXPECT_EQ(default_workers(experiment), 3);
  experiment.compute.threads = 30;
  EXPECT_EQ(default_workers(experiment), 4);
  experiment.compute.threads = 0;
  EXPECT_GE(default_workers(experiment), 1);
  experiment.compute.threads = 30;
  experiment.compute.layout = "auto";
  experiment.data.micro_batches = 2;
  EXPECT_EQ(default_workers(experiment), 8) << "of which half may become helpers";
}

}  // namespace
}  // namespace lipizz::app::run_in_process_test
