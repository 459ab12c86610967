#pragma once

#include <filesystem>

#include "app/run_in_process.hpp"
#include "run_folder.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app {

/// A test with a finished run of two cells in base_ / "run", which is trained once and copied.
class FinishedRunTest : public RunsTest {
 protected:
  void SetUp() override {
    RunsTest::SetUp();
    std::filesystem::copy(trained(), base_ / "run", std::filesystem::copy_options::recursive);
  }

 private:
  static std::filesystem::path trained() {
    static const TemporaryFolder folder;
    if (folder.n_files() == 0) {
      RunOptions options;
      options.output_dir = folder / "run";
      options.quiet = true;
      EXPECT_EQ(run_in_process(small(2), options, 2, SystemClock()), 0);
    }
    return folder / "run";
  }
};

}  // namespace lipizz::app
