#include "sweep/report_files.hpp"

#include <gmock/gmock.h>

#include "config/json.hpp"
#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::report_files_test {
namespace {

namespace fs = std::filesystem;

class ReportFiles : public ::testing::Test {
 protected:
  std::vector<std::string> write() {
    const Progress progress = ProgressReader(plan_, folder_).look({});
    std::vector<std::string> names;
    for (const fs::path& file :
         write_report(plan_, folder_, progress, figures_of(plan_, progress))) {
      EXPECT_TRUE(fs::is_regular_file(file));
      names.push_back(file.filename().string());
    }
    return names;
  }
  void set(std::size_t index, const SampleResult& result) {
    write_result(folder_of(folder_, plan_.runs()[index]), result);
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
  Plan plan_ = sample_plan();
};

TEST_F(ReportFiles, the_best_one_is_a_configuration) {
  for (std::size_t i = 0; i < 12; ++i) set(i, {.score = i == 6 || i == 7 ? 1.0 : 2.0});
  EXPECT_THAT(write(), ::testing::ElementsAre("table.csv", "runs.csv", "table.tex", "best.json",
                                              "report.html"));
  config::Experiment best;
  config::apply_file(folder_.report() / "best.json", best);
  EXPECT_EQ(best, plan_.experiment(plan_.runs()[6]));
  EXPECT_NO_THROW(write()) << "a newer report takes its place";
}

TEST_F(ReportFiles, each_kind_of_score_has_its_best_one) {
  set(0, {.score = 1});
  set(4, {.score = 1, .judge = "4444444444444444"});
  EXPECT_THAT(write(), ::testing::ElementsAre("table.csv", "runs.csv", "table.tex", "best-1.json",
                                              "best-2.json", "report.html"));
}

}  // namespace
}  // namespace lipizz::sweep::report_files_test
