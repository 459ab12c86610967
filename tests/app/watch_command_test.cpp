#include "app/watch_command.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "report/run_event.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::watch_command_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using Kind = report::RunEvent::Kind;

class WatchCommandTest : public ::testing::Test {
 protected:
  WatchCommandTest() {
    const config::Experiment experiment;
    write_atomically(folder_ / "config.json", config::to_json(experiment));
    report::RunEvent begun;
    begun.generations = 3;
    begun.torus = {experiment.grid.rows, experiment.grid.columns};
    happen(begun);
  }

  void happen(const report::RunEvent& event) {
    events_ += report::to_line(event) + "\n";
    write_atomically(folder_ / "events.jsonl", events_);
  }
  void end(Kind kind) {
    report::RunEvent event;
    event.kind = kind;
    event.text = "signal TERM";
    happen(event);
  }

  // The exit code, and the output behind it.
  [[nodiscard]] std::string watch(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"watch", folder_.path().string()});
    std::ostringstream none;
    ::testing::internal::CaptureStdout();
    const int exit_code = watch_command(parse_command_line(options), none);
    return std::to_string(exit_code) + "\n" + ::testing::internal::GetCapturedStdout();
  }

  TemporaryFolder folder_;
  std::string events_;
};

TEST_F(WatchCommandTest, ends_with_the_run) {
  end(Kind::kFinished);
  EXPECT_EQ(watch(), "0\nthe run has finished\n");
}

TEST_F(WatchCommandTest, names_the_command_that_goes_on) {
  end(Kind::kStopped);
  EXPECT_EQ(watch(), "75\nthe run was stopped, signal TERM; to go on: lipizz --resume " +
                         folder_.path().string() + "\n");
}

TEST_F(WatchCommandTest, once_is_a_look) {
  const std::string seen = watch({"--once"});
  EXPECT_THAT(seen, HasSubstr("0\ngeneration 0 of 3"));
  EXPECT_THAT(seen, HasSubstr("no process holds its folder")) << "nobody holds the lock";
}

TEST_F(WatchCommandTest, a_folder_without_a_run_is_refused) {
  std::filesystem::remove(folder_ / "config.json");
  EXPECT_THROW(static_cast<void>(watch({"--once"})), ConfigError);
  ::testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace lipizz::app::watch_command_test
