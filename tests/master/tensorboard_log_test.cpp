#include "master/tensorboard_log.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"
#include "tensorboard/read_events.hpp"

namespace lipizz::master::tensorboard_log_test {
namespace {

namespace fs = std::filesystem;
using tensorboard::proto::Event;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr grid::Torus kPair{.rows = 1, .columns = 2};

// The header of a PNG of 5x4 pixels, which nobody looks beyond.
std::string small_png() {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  return png + std::string("\0\0\0\5\0\0\0\4\x08\2", 10);
}

class TensorboardLogTest : public ::testing::Test {
 protected:
  TensorboardLog log_for(const grid::Torus& torus, Generation start = 0) {
    return {folder_.path(),
            torus,
            start,
            {.now = [] { return 5.0; },
             .warning = [this](const std::string& text) { warnings_.push_back(text); }}};
  }

  static MetricsLog::Completed generation(Generation number, const grid::Torus& torus) {
    MetricsLog::Completed completed{number, CellId{0}, 10.0 / number, false};
    for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) {
      completed.lines.push_back(report::written_line(cell, number, torus));
    }
    return completed;
  }

  [[nodiscard]] std::vector<Event> events(const std::string& run, int n = 1) const {
    return tensorboard::read_events(folder_ / "tensorboard" / run /
                                    ("events.out.tfevents.00000" + std::to_string(n) + ".lipizz"));
  }

  // The figures of the events of a step, by tags.
  [[nodiscard]] std::map<std::string, float> figures(const std::string& run, int step) const {
    std::map<std::string, float> found;
    for (const Event& event : events(run)) {
      if (event.step() != step) continue;
      for (const auto& value : event.summary().value()) {
        if (value.has_image() || value.has_histo()) continue;
        EXPECT_TRUE(found.emplace(value.tag(), value.simple_value()).second) << value.tag();
      }
    }
    return found;
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(TensorboardLogTest, each_cell_has_what_its_lines_tell) {
  log_for(kPair).add(generation(2, kPair), 0.25);
  const auto told = figures("cell-0-1", 2);
  EXPECT_EQ(told.at("score"), 6);
  EXPECT_EQ(told.at("generator/rate"), 0.5);
  EXPECT_EQ(told.at("discriminator/loss"), 0.125);
  EXPECT_EQ(told.at("details/tvd"), 0.5);
  EXPECT_EQ(told.at("seconds/train"), 1.5);
  EXPECT_EQ(told.at("seconds/gather"), 0.125);
  EXPECT_FLOAT_EQ(told.at("mixture/entropy"),
                  static_cast<float>(-0.75 * std::log(0.75) - 0.25 * std::log(0.25)));
  EXPECT_EQ(figures("cell-0-0", 2).at("score"), 5);
  EXPECT_EQ(events("cell-0-0").at(2).wall_time(), 5);
}

TEST_F(TensorboardLogTest, the_grid_has_the_best_score_and_means_and_the_floor_is_a_run) {
  log_for(kPair).add(generation(2, kPair), 0.25);
  const auto told = figures("grid", 2);
  EXPECT_EQ(told.at("score"), 5);
  EXPECT_EQ(told.at("score/mean"), 5.5);
  EXPECT_EQ(told.at("score/worst"), 6);
  EXPECT_EQ(told.at("generator/rate"), 0.5);
  EXPECT_EQ(figures("floor", 2), (std::map<std::string, float>{{"score", 0.25F}}));
}

TEST_F(TensorboardLogTest, a_generation_that_was_not_scored_has_no_score) {
  auto unscored = generation(2, kPair);
  for (std::string& line : unscored.lines) {
    line = report::written_line(line == unscored.lines[0] ? 0 : 1, 0, kPair);
  }
  log_for(kPair).add(unscored, 0.25);
  EXPECT_EQ(figures("grid", 2).count("score"), 0);
  EXPECT_EQ(figures("grid", 2).count("generator/rate"), 1);
  EXPECT_THAT(figures("floor", 2), IsEmpty());
}

TEST_F(TensorboardLogTest, of_a_large_grid_the_grid_alone_is_told) {
  const grid::Torus large{.rows = 5, .columns = 13};
  log_for(large).add(generation(1, large), 0.25);
  const fs::directory_iterator runs(folder_ / "tensorboard");
  EXPECT_EQ(std::distance(begin(runs), end(runs)), 2);
  const auto told = events("grid");
  const auto& values = told.at(2).summary().value();
  const auto histogram = std::ranges::find_if(values, [](const auto& v) { return v.has_histo(); });
  ASSERT_NE(histogram, values.end());
  EXPECT_EQ(histogram->tag(), "cells/score");
  EXPECT_EQ(histogram->histo().num(), 65);
}

TEST_F(TensorboardLogTest, a_resume_voids_what_is_behind_it_in_every_run) {
  log_for(kPair).add(generation(1, kPair), 0.25);
  log_for(kPair, 7).add(generation(8, kPair), 0.25);
  for (const char* run : {"grid", "floor", "cell-0-0", "cell-0-1"}) {
    EXPECT_EQ(events(run, 2).at(1).session_log().status(), tensorboard::proto::SessionLog::START);
    EXPECT_EQ(events(run, 2).at(1).step(), 8);
  }
}

TEST_F(TensorboardLogTest, shows_pictures_and_weights_of_their_generation) {
  fs::create_directories(folder_ / "samples");
  for (const char* name : {"samples/best-gen003.png", "samples/best.png", "samples/grid.png"}) {
    std::ofstream(folder_ / name, std::ios::binary) << small_png();
  }
  TensorboardLog log = log_for(kPair);
  comm::TaskDone done;
  done.kind = comm::TaskKind::kImprovedSheet;
  done.file = "samples/best-gen003.png";
  done.generation = 3;
  done.weights = {{"generator/0.weight", {-1, 1, 0, 2, {1, 1}}}};
  log.add(done);
  comm::TaskDone other;
  other.kind = comm::TaskKind::kBestMixture;
  other.file = "mixture-best";
  log.add(other);
  done.kind = comm::TaskKind::kFinalFiles;
  done.file = "samples/best.png";
  done.generation = 9;
  done.weights.clear();
  log.add(done);
  const auto told = events("grid");
  ASSERT_THAT(told, SizeIs(4));
  EXPECT_EQ(told[2].step(), 3);
  EXPECT_EQ(told[2].summary().value(0).tag(), "samples/best");
  EXPECT_EQ(told[2].summary().value(0).image().encoded_image_string(), small_png());
  EXPECT_EQ(told[2].summary().value(0).image().width(), 5);
  EXPECT_EQ(told[2].summary().value(1).tag(), "generator/0.weight");
  EXPECT_EQ(told[2].summary().value(1).histo().num(), 2);
  EXPECT_EQ(told[3].step(), 9);
  EXPECT_EQ(told[3].summary().value(0).tag(), "samples/final");
  EXPECT_EQ(told[3].summary().value(1).tag(), "samples/grid");
}

TEST_F(TensorboardLogTest, a_picture_that_cannot_be_shown_is_told_and_the_rest_goes_on) {
  TensorboardLog log = log_for(kPair);
  comm::TaskDone done;
  done.kind = comm::TaskKind::kImprovedSheet;
  done.file = "samples/none.png";
  log.add(done);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("TensorBoard is not shown a picture: ")));
  log.add(generation(1, kPair), 0.25);
  EXPECT_EQ(figures("grid", 1).count("score"), 1);
}

TEST_F(TensorboardLogTest, an_error_ends_the_events_and_not_the_run) {
  std::ofstream(folder_ / "tensorboard") << "a file is in the way";
  TensorboardLog log = log_for(kPair);
  log.add(generation(1, kPair), 0.25);
  log.add(generation(2, kPair), 0.25);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("nothing more is written for TensorBoard: ")));
}

}  // namespace
}  // namespace lipizz::master::tensorboard_log_test
