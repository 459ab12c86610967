#pragma once

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "master/assignments.hpp"
#include "master/metrics_log.hpp"
#include "master/run_log.hpp"
#include "report/played_screen.hpp"

namespace lipizz::master {

/// The surroundings of the master's state machines, in a folder of the test's own: two cells on two
/// workers and a spare, four generations. No messages, no threads.
class MachineTest : public ::testing::Test {
 protected:
  MachineTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    experiment_.grid = {.rows = 1, .columns = 2};
    experiment_.generations = 4;
    run_plan_.output_dir = folder_.string();
    run_plan_.rank_of_cell = {1, 2};
    run_plan_.survives_losses = true;
    inventory_.resize(4);
    for (std::size_t rank = 0; rank < 4; ++rank) inventory_[rank].host = "n" + std::to_string(rank);
  }
  ~MachineTest() override { std::filesystem::remove_all(folder_); }

  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "run.log").rdbuf();
    return text.str();
  }

  // One cell's line for one generation.
  static comm::Metrics told(std::uint32_t cell, Generation generation, double score = 1) {
    return {.cell = {cell}, .generation = generation, .score = score, .line = R"({"a":1})"};
  }

  struct ManualClock final : Clock {
    double now_s() const override { return now; }
    double now = 100;
  };

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("lipizz_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name());
  ManualClock clock_;
  config::Experiment experiment_;
  comm::RunPlan run_plan_;
  std::vector<comm::InventoryEntry> inventory_;
  std::shared_ptr<report::PlayedScreen> screen_ =
      std::make_shared<report::PlayedScreen>(std::nullopt);
  std::string& out_ = screen_->written;
  std::string errors_;
  Console::Streams streams_{.screen = screen_,
                            .errors = [this](const std::string& line) { errors_ += line + "\n"; }};
};

/// With the machines that others stand on.
class StandingMachineTest : public MachineTest {
 protected:
  RunLog log_{folder_, Console(streams_, clock_)};
  MetricsLog metrics_{folder_ / "metrics.jsonl", 2, 0};
  Assignments assignments_{run_plan_, inventory_, run_plan_.survives_losses};
};

}  // namespace lipizz::master
