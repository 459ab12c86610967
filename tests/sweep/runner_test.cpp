#include "sweep/runner.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::runner_test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

class FixedClock final : public Clock {
 public:
  [[nodiscard]] double now_s() const override {
    if (when_asked) when_asked();
    return now_s_;
  }
  void advance(double seconds) { now_s_ += seconds; }

  std::function<void()> when_asked;

 private:
  double now_s_ = 0;
};

std::string argument_behind(const Start& start, const std::string& option) {
  const auto found = std::ranges::find(start.arguments, option);
  return found == start.arguments.end() ? std::string() : *std::next(found);
}

// Plays lipizz: at the second poll it has trained, or done what it is told to.
class FakeRun final : public Child {
 public:
  FakeRun(Start start, int exit_code, double score)
      : start_(std::move(start)), exit_code_(exit_code), score_(score) {}
  std::optional<int> poll() override {
    if (++n_polls_ < 2) return std::nullopt;
    if (is_stopped_) return 75;
    if (exit_code_ != 0) return exit_code_;
    const bool is_resumed = !argument_behind(start_, "--resume").empty();
    const fs::path run = argument_behind(start_, is_resumed ? "--resume" : "--output");
    if (is_resumed && fs::exists(run / "result.json")) {
      fs::create_directories(run / "set-aside-1");
      fs::rename(run / "result.json", run / "set-aside-1/result.json");
    }
    write_text(run / "config.json", "{}");
    write_result(run, {.score = score_,
                       .generations = static_cast<Generation>(
                           std::stoul(argument_behind(start_, "--generations")))});
    return 0;
  }
  void stop() override { is_stopped_ = true; }

 private:
  Start start_;
  int exit_code_;
  double score_;
  int n_polls_ = 0;
  bool is_stopped_ = false;
};

// Told to stop, it still needs a while.
class SlowToSave final : public Child {
 public:
  explicit SlowToSave(bool& has_saved) : has_saved_(has_saved) {}
  std::optional<int> poll() override {
    if (!is_stopped_ || ++n_polls_ < 30) return std::nullopt;
    has_saved_ = true;
    return 75;
  }
  void stop() override { is_stopped_ = true; }

 private:
  bool& has_saved_;
  bool is_stopped_ = false;
  int n_polls_ = 0;
};

class RunnerTest : public ::testing::Test {
 protected:
  Surroundings surroundings() {
    return {.start =
                [this](const Start& start) {
                  starts_.push_back(start);
                  const int code = exit_codes_.empty() ? 0 : exit_codes_.front();
                  if (!exit_codes_.empty()) exit_codes_.erase(exit_codes_.begin());
                  const double score = static_cast<double>(starts_.size());
                  return std::make_unique<FakeRun>(start, code, score);
                },
            .tell = [this](const std::string& line) { told_.push_back(line); },
            .is_asked_to_stop = [this] { return starts_.size() >= stop_after_; },
            .pause =
                [this] {
                  clock_.advance(1);
                  if (in_pause_) in_pause_();
                },
            .clock = clock_};
  }
  int run(std::size_t n_places = 2, Others others = Others::kWaitFor) {
    return Runner(plan_, folder_, n_places, others, surroundings()).run();
  }
  Progress progress() {
    return ProgressReader(plan_, folder_).look(fs::file_time_type::clock::now());
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_ / "sweep"};
  Plan plan_ = sample_plan();
  FixedClock clock_;
  std::vector<Start> starts_;
  std::vector<int> exit_codes_;  // of the first ones; 0 behind
  std::vector<std::string> told_;
  std::size_t stop_after_ = 1000;
  std::function<void()> in_pause_;
};

TEST_F(RunnerTest, trains_every_run_once) {
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(starts_.size(), 12);
  EXPECT_EQ(progress().count(RunState::kFinished), 12);
  EXPECT_EQ(told_.size(), 12);
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(starts_.size(), 12) << "nothing is left";
}

TEST_F(RunnerTest, starts_a_run_with_its_configuration) {
  run(1);
  const Start& start = starts_.front();
  const PlannedRun& first = plan_.runs()[0];
  EXPECT_EQ(start.arguments[0], "train");
  EXPECT_EQ(argument_behind(start, "--config"), folder_.config(first.id).string());
  EXPECT_EQ(argument_behind(start, "--output"), folder_of(folder_, first).string());
  EXPECT_EQ(argument_behind(start, "--generations"), "8");
  EXPECT_TRUE(fs::exists(folder_.config(first.id)));
  EXPECT_FALSE(last_start(folder_.log(first.id)).empty());
}

TEST_F(RunnerTest, trains_as_many_at_a_time_as_there_are_places) {
  std::vector<std::size_t> places;
  run(3);
  for (const Start& start : starts_) places.push_back(start.place);
  EXPECT_EQ(*std::ranges::max_element(places), 2);
  EXPECT_THAT(std::vector(places.begin(), places.begin() + 3), ::testing::ElementsAre(0, 1, 2));
}

TEST_F(RunnerTest, a_run_that_fails_is_told_and_stops_no_other) {
  exit_codes_ = {0, 5};
  EXPECT_EQ(run(1), 5);
  EXPECT_EQ(starts_.size(), 12);
  EXPECT_EQ(progress().count(RunState::kFinished), 11);
  EXPECT_EQ(progress().count(RunState::kFailed), 1);
  EXPECT_THAT(told_, Contains(HasSubstr("failed with code 5")));
  EXPECT_EQ(run(1), 5) << "it is not tried again by itself";
  EXPECT_EQ(starts_.size(), 12);
}

TEST_F(RunnerTest, what_failed_is_tried_again_when_asked) {
  exit_codes_ = {5};
  run(1);
  Runner again(plan_, folder_, 1, Others::kWaitFor, surroundings());
  again.retry_failed();
  EXPECT_EQ(again.run(), 0);
  EXPECT_EQ(starts_.size(), 13);
}

TEST_F(RunnerTest, one_that_ends_well_without_a_result_has_failed) {
  Surroundings without = surroundings();
  class Nothing final : public Child {
   public:
    std::optional<int> poll() override { return 0; }
    void stop() override {}
  };
  without.start = [](const Start&) { return std::make_unique<Nothing>(); };
  EXPECT_EQ(Runner(plan_, folder_, 2, Others::kWaitFor, without).run(), 70);
  EXPECT_EQ(progress().count(RunState::kFailed), 12);
}

TEST_F(RunnerTest, asked_to_stop_it_passes_that_on_and_starts_no_more) {
  stop_after_ = 4;
  EXPECT_EQ(run(2), 75);
  EXPECT_EQ(starts_.size(), 4);
  EXPECT_EQ(progress().count(RunState::kFinished), 2);
  EXPECT_EQ(progress().count(RunState::kWaiting), 10);
  stop_after_ = 1000;
  EXPECT_EQ(run(2), 0);
  EXPECT_EQ(starts_.size(), 14);
}

TEST_F(RunnerTest, one_that_leaves_early_by_itself_ends_it_too) {
  exit_codes_ = {75};
  EXPECT_EQ(run(1), 75);
  EXPECT_EQ(starts_.size(), 1);
}

TEST_F(RunnerTest, before_it_fails_it_has_its_runs_save_themselves) {
  bool has_saved = false;
  std::size_t n_starts = 0;
  Surroundings failing = surroundings();
  failing.start = [&](const Start&) -> std::unique_ptr<Child> {
    if (++n_starts > 1) throw ConfigError("cannot start another");
    return std::make_unique<SlowToSave>(has_saved);
  };
  const fs::path claim = folder_.claims() / (plan_.runs()[0].id + ".1");
  const fs::file_time_type long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::size_t n_pauses = 0;
  in_pause_ = [&] {
    if (++n_pauses == 1) fs::last_write_time(claim, long_ago);
  };
  EXPECT_THAT([&] { Runner(plan_, folder_, 2, Others::kWaitFor, failing).run(); },
              ::testing::ThrowsMessage<ConfigError>("cannot start another"));
  EXPECT_TRUE(has_saved);
  EXPECT_TRUE(fs::last_write_time(claim) > long_ago + std::chrono::minutes(1))
      << "it gives signs of life meanwhile";
  EXPECT_THAT(told_,
              ::testing::ElementsAre(HasSubstr("cannot start another; what trains is saved first"),
                                     HasSubstr("saved, and left early")));
}

TEST_F(RunnerTest, a_result_that_cannot_be_read_does_not_cost_the_other_run) {
  bool has_saved = false;
  Surroundings failing = surroundings();
  failing.start = [&, start = failing.start](const Start& what) -> std::unique_ptr<Child> {
    auto child = start(what);
    if (starts_.size() == 2) child = std::make_unique<SlowToSave>(has_saved);
    return child;
  };
  in_pause_ = [&] { write_text(folder_of(folder_, plan_.runs()[1]) / "result.json", "damaged"); };
  EXPECT_THROW(Runner(plan_, folder_, 2, Others::kWaitFor, failing).run(), Error);
  EXPECT_TRUE(has_saved);
}

TEST_F(RunnerTest, a_run_that_was_cut_off_is_resumed) {
  const fs::path folder = folder_of(folder_, plan_.runs()[0]);
  write_text(folder / "config.json", "{}");
  ProcessIdentity gone = this_process();
  --gone.start;
  Claimer(folder_.claims(), gone, "").claim(plan_.runs()[0].id, 1);
  EXPECT_EQ(run(1), 0);
  EXPECT_EQ(argument_behind(starts_.front(), "--resume"), folder.string());
  EXPECT_EQ(argument_behind(starts_.front(), "--config"), "");
}

TEST_F(RunnerTest, what_others_have_is_waited_for_or_left_to_them) {
  auto other = std::make_unique<Claimer>(folder_.claims(), this_process(), "");
  other->claim(plan_.runs()[0].id, 1);
  EXPECT_EQ(run(2, Others::kLeaveTo), 0);
  EXPECT_EQ(starts_.size(), 11);
  int n_pauses = 0;
  in_pause_ = [&] {
    if (++n_pauses != 20) return;
    write_result(folder_of(folder_, plan_.runs()[0]), {});
    other->end(plan_.runs()[0].id, 1, {.exit_code = 0, .text = {}});
  };
  EXPECT_EQ(run(2, Others::kWaitFor), 0);
  EXPECT_EQ(starts_.size(), 11);
  EXPECT_GE(n_pauses, 20);
}

TEST_F(RunnerTest, whenever_another_process_is_quicker_it_is_waited_for) {
  SweepFile one = sample_plan().sweep();
  one.axes.clear();
  one.seeds = {1};
  plan_ = Plan(one);
  const PlannedRun& planned = plan_.runs()[0];
  int n_quicker = 0;
  for (int when = 1; when <= 6; ++when) {
    const SweepFolder folder{temporary_ / std::to_string(when)};
    Claimer other(folder.claims(), this_process(), "");
    bool is_quicker = false;
    int n_asked = 0;
    int n_pauses = 0;
    clock_.when_asked = [&] {
      if (++n_asked == when) is_quicker = other.claim(planned.id, 1);
    };
    in_pause_ = [&] {
      if (!is_quicker || ++n_pauses != 8) return;
      write_result(folder_of(folder, planned), {});
      other.end(planned.id, 1, {.exit_code = 0, .text = {}});
    };
    EXPECT_EQ(Runner(plan_, folder, 1, Others::kWaitFor, surroundings()).run(), 0) << when;
    n_quicker += int{is_quicker};
  }
  EXPECT_GE(n_quicker, 3) << "before it looks, and between its look and its claim";
}

TEST_F(RunnerTest, what_others_leave_lying_is_taken_over) {
  auto other = std::make_unique<Claimer>(folder_.claims(), this_process(), "");
  other->claim(plan_.runs()[0].id, 1);
  int n_pauses = 0;
  in_pause_ = [&] {
    if (++n_pauses == 20) other->end(plan_.runs()[0].id, 1, {.exit_code = 75, .text = {}});
  };
  EXPECT_EQ(run(2), 0);
  EXPECT_EQ(starts_.size(), 12);
}

TEST_F(RunnerTest, a_run_that_another_process_has_taken_over_is_not_ended_by_this_one) {
  Claimer other(folder_.claims(), this_process(), "");
  const std::string id = plan_.runs()[0].id;
  bool is_first = true;
  in_pause_ = [&] {
    if (is_first) other.claim(id, 2);
    is_first = false;
  };
  EXPECT_EQ(run(1, Others::kLeaveTo), 0);
  EXPECT_FALSE(end_of(folder_.claims(), id, 1));
  EXPECT_THAT(told_, Contains(HasSubstr("another process has taken it over")));
}

TEST_F(RunnerTest, with_rungs_the_better_half_goes_on) {
  plan_ = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  EXPECT_EQ(run(2), 0);
  EXPECT_EQ(starts_.size(), 12 + 6);
  EXPECT_EQ(argument_behind(starts_[0], "--generations"), "2");
  EXPECT_EQ(argument_behind(starts_[12], "--generations"), "8");
  EXPECT_EQ(argument_behind(starts_[12], "--resume"), folder_of(folder_, plan_.runs()[0]).string());
  EXPECT_EQ(progress().count(RunState::kStopped), 6);
  EXPECT_EQ(progress().count(RunState::kFinished), 6);
  EXPECT_EQ(progress().runs[0].state, RunState::kFinished) << "lower scores are better";
}

}  // namespace
}  // namespace lipizz::sweep::runner_test
