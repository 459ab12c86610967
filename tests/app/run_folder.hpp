#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/run_training.hpp"

namespace lipizz::app {

/// A place for the folders of a test's runs, removed with it.
class RunsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(base_);
    std::filesystem::create_directories(base_);
  }
  void TearDown() override { std::filesystem::remove_all(base_); }

  [[nodiscard]] RunOptions into(const std::string& name) const {
    RunOptions options;
    options.output_dir = base_ / name;
    options.quiet = true;
    return options;
  }

  /// Asks the run to stop as soon as all its cells have finished a generation.
  static std::jthread ask_to_stop_in_time(const RunOptions& options) {
    return std::jthread(
        [request = options.stop_request,
         metrics = options.output_dir / "metrics.jsonl"](const std::stop_token& over) {
          std::error_code none;
          const auto has_begun = [&] { return std::filesystem::exists(metrics, none); };
          const auto has_told = [&] { return std::filesystem::file_size(metrics, none) > 0; };
          while (!over.stop_requested() && !(has_begun() && has_told())) std::this_thread::yield();
          request->ask("a test");
        });
  }

  [[nodiscard]] nlohmann::json result(const std::string& name) const {
    std::ifstream file(base_ / name / "result.json");
    return nlohmann::json::parse(file);
  }

  /// metrics.jsonl without the seconds and the checksums, in which they are.
  [[nodiscard]] std::vector<nlohmann::json> metrics(const std::string& name) const {
    std::ifstream file(base_ / name / "metrics.jsonl");
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(nlohmann::json::parse(line));
      lines.back().erase("seconds");
      lines.back().erase("check");
    }
    return lines;
  }

  std::filesystem::path base_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("lipizz_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name());
};

/// A small run on points.
inline config::Experiment on_points(std::uint32_t rows, std::uint32_t columns) {
  config::Experiment experiment;
  experiment.grid = {rows, columns};
  experiment.generations = 3;
  experiment.data.dataset = "ring8";
  experiment.data.max_samples = 200;
  experiment.compute.engine = "reference";
  experiment.operators.fitness.n_samples = 50;
  experiment.score.n_samples = 200;
  experiment.score.n_samples_training = 100;
  return experiment;
}

/// A run of a row of cells that takes hardly any time.
inline config::Experiment small(std::uint32_t columns) {
  config::Experiment experiment = on_points(1, columns);
  experiment.data.max_samples = 100;
  experiment.operators.fitness.n_samples = 20;
  experiment.score.n_samples = 50;
  experiment.score.n_samples_training = 50;
  return experiment;
}

}  // namespace lipizz::app
