#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/run_in_process.hpp"
#include "config/json.hpp"
#include "run_folder.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app {

/// A test with finished runs of two cells in base_ / "one" and base_ / "two", which differ in their
/// seeds; they are trained once and copied.
class TwoRunsTest : public RunsTest {
 protected:
  void SetUp() override {
    RunsTest::SetUp();
    std::filesystem::copy(trained(), base_, std::filesystem::copy_options::recursive);
  }

  /// `lipizz ensemble` of both runs.
  [[nodiscard]] CommandLine line(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"ensemble", base_ / "one", base_ / "two", "--output",
                                     base_ / "both", "--number", "300"});
    return parse_command_line(options);
  }

  void change_configuration(const std::string& run, const std::string& assignment) const {
    const std::filesystem::path file = base_ / run / "config.json";
    config::Experiment experiment;
    config::apply_file(file, experiment);
    config::apply_assignment(assignment, experiment);
    std::ofstream(file) << config::to_json(experiment);
  }

  void train(const std::string& name, const std::function<void(config::Experiment&)>& change) {
    train_into(base_ / name, change);
  }

 private:
  static void train_into(const std::filesystem::path& folder,
                         const std::function<void(config::Experiment&)>& change) {
    config::Experiment experiment = small(2);
    change(experiment);
    RunOptions options;
    options.output_dir = folder;
    options.quiet = true;
    EXPECT_EQ(run_in_process(experiment, options, 2, SystemClock()), 0);
  }
  static std::filesystem::path trained() {
    static const TemporaryFolder folder;
    if (folder.n_files() == 0) {
      train_into(folder / "one", [](config::Experiment& experiment) { experiment.seed = 1; });
      train_into(folder / "two", [](config::Experiment& experiment) { experiment.seed = 2; });
    }
    return folder / "";
  }
};

}  // namespace lipizz::app
