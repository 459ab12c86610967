#include "tensorboard/event_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"
#include "tensorboard/read_events.hpp"

namespace lipizz::tensorboard::event_file_test {
namespace {

class EventFileTest : public ::testing::Test {
 protected:
  EventFile next(std::int64_t first_step) {
    return {folder_ / "a/b", first_step, [this] { return now_ += 1; }};
  }
  std::vector<proto::Event> events(int n) {
    return read_events(folder_ / ("a/b/events.out.tfevents.00000" + std::to_string(n) + ".lipizz"));
  }

  TemporaryFolder folder_;
  double now_ = 1e9;
};

TEST_F(EventFileTest, begins_with_its_version_and_the_first_step) {
  next(7);
  const auto all = events(1);
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].file_version(), "brain.Event:2");
  EXPECT_EQ(all[0].wall_time(), 1e9 + 1);
  EXPECT_EQ(all[1].step(), 7);
  EXPECT_EQ(all[1].session_log().status(), proto::SessionLog::START);
}

TEST_F(EventFileTest, what_is_told_of_a_step_is_one_event) {
  EventFile file = next(1);
  file.add("score", 0.1);
  file.add("network/loss", -3);
  file.write(12);
  file.add("score", 0.2);
  file.write(13);
  const auto all = events(1);
  ASSERT_EQ(all.size(), 4);
  EXPECT_EQ(all[2].step(), 12);
  EXPECT_EQ(all[2].wall_time(), 1e9 + 3);
  ASSERT_EQ(all[2].summary().value_size(), 2);
  EXPECT_EQ(all[2].summary().value(0).tag(), "score");
  EXPECT_EQ(all[2].summary().value(0).simple_value(), 0.1F);
  EXPECT_EQ(all[2].summary().value(1).simple_value(), -3);
  ASSERT_EQ(all[3].summary().value_size(), 1);
  EXPECT_EQ(all[3].step(), 13);
}

TEST_F(EventFileTest, what_is_not_finite_is_left_out_and_nothing_is_no_event) {
  EventFile file = next(1);
  file.add("a", std::nan(""));
  file.add("b", std::numeric_limits<double>::infinity());
  file.add("c", Histogram());
  file.write(1);
  EXPECT_EQ(events(1).size(), 2);
}

TEST_F(EventFileTest, pictures_are_bytes_with_their_size) {
  EventFile file = next(1);
  file.add("sheet", Picture{std::string("\x89PNG\0\n", 6), 4, 5, 3});
  file.write(1);
  const proto::Summary::Image image = events(1).at(2).summary().value(0).image();
  EXPECT_EQ(image.encoded_image_string(), std::string("\x89PNG\0\n", 6));
  EXPECT_EQ(image.height(), 4);
  EXPECT_EQ(image.width(), 5);
  EXPECT_EQ(image.colorspace(), 3);
}

TEST_F(EventFileTest, histograms_have_the_upper_end_of_each_bucket) {
  EventFile file = next(1);
  file.add("weights", Histogram{-1, 2, 3, 9, {4, 5, 6}});
  file.write(1);
  const proto::HistogramProto told = events(1).at(2).summary().value(0).histo();
  EXPECT_EQ(told.min(), -1);
  EXPECT_EQ(told.max(), 2);
  EXPECT_EQ(told.sum(), 3);
  EXPECT_EQ(told.sum_squares(), 9);
  EXPECT_EQ(told.num(), 15);
  ASSERT_EQ(told.bucket_limit_size(), 3);
  EXPECT_EQ(told.bucket_limit(0), 0);
  EXPECT_EQ(told.bucket_limit(1), 1);
  EXPECT_EQ(told.bucket_limit(2), 2);
  EXPECT_EQ(told.bucket(2), 6);
}

TEST_F(EventFileTest, another_writer_begins_another_file) {
  next(1).write(1);
  EventFile file = next(5);
  file.add("a", 1);
  file.write(5);
  EXPECT_EQ(events(1).size(), 2);
  EXPECT_EQ(events(2).size(), 3);
}

TEST_F(EventFileTest, a_folder_that_cannot_be_made_is_an_error) {
  EXPECT_THROW(EventFile("/proc/none", 1, [] { return 0.0; }), CheckpointError);
}

}  // namespace
}  // namespace lipizz::tensorboard::event_file_test
