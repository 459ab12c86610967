#include "config/checkpoint_interval.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::config::checkpoint_interval_test {
namespace {

CheckpointInterval interval(const char* every) {
  return checkpoint_interval({every});
}

TEST(CheckpointInterval, cells_are_saved_every_so_many_seconds_or_generations_or_not) {
  EXPECT_EQ(interval("60s").seconds, 60);
  EXPECT_EQ(interval("60s").generations, 0U);
  EXPECT_EQ(interval("0.5s").seconds, 0.5);
  EXPECT_EQ(interval("1e3s").seconds, 1000);
  EXPECT_EQ(interval("5").generations, 5U);
  EXPECT_EQ(interval("5").seconds, 0);
  EXPECT_EQ(interval("off").seconds, 0);
  EXPECT_EQ(interval("off").generations, 0U);
  EXPECT_EQ(checkpoint_interval({}).seconds, 60) << "the default";
}

TEST(CheckpointInterval, any_other_is_refused) {
  EXPECT_THROW(interval("5m"), ConfigError);
}

}  // namespace
}  // namespace lipizz::config::checkpoint_interval_test
