#include "app/console_streams.hpp"

#include <gtest/gtest.h>

namespace lipizz::app::console_streams_test {
namespace {

TEST(ConsoleStreams, progress_goes_to_the_output_and_warnings_to_the_errors) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const master::Console::Streams streams = console_streams(true);
  streams.screen->write("progress");
  streams.errors("a warning");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "progress");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "a warning\n");
  EXPECT_TRUE(streams.is_quiet);
  EXPECT_FALSE(streams.screen->is_terminal()) << "a captured output is a file";
}

}  // namespace
}  // namespace lipizz::app::console_streams_test
