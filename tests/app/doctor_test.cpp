#include "app/doctor.hpp"

#include <gtest/gtest.h>

#include "core/text.hpp"

namespace lipizz::app::doctor_test {
namespace {

TEST(Doctor, the_report_has_columns_and_advice_below) {
  const std::vector<Finding> findings{ok("MPI", "Open MPI v4.1.4"),
                                      problem("processor", "none", "buy one")};
  EXPECT_EQ(report_of(findings),
            "MPI        ok       Open MPI v4.1.4\n"
            "processor  problem  none\n"
            "                    -> buy one\n");
}

TEST(Doctor, the_report_fits_eighty_columns) {
  const std::string words = "one two three four five six seven eight nine ten eleven twelve words";
  const std::vector<Finding> findings{note("shared memory", words + " " + words, words + words)};
  for (const std::string& line : split(report_of(findings), '\n'))
    EXPECT_LE(line.size(), 80) << line;
  const std::vector<Finding> path{note("runs", "/" + std::string(100, 'x') + " is long")};
  EXPECT_EQ(report_of(path),
            "runs  note     /" + std::string(100, 'x') + "\n               is long\n");
}

TEST(Doctor, a_problem_is_what_would_stop_a_run) {
  const std::vector<Finding> well{ok("a", ""), note("b", "", "")};
  EXPECT_FALSE(has_problem(well));
  EXPECT_EQ(conclusion_of(well), "No problem, 1 note.\n");
  const std::vector<Finding> ill{problem("a", "", ""), problem("b", "", "")};
  EXPECT_TRUE(has_problem(ill));
  EXPECT_EQ(conclusion_of(ill), "2 problems: what is marked problem would stop a run.\n");
}

TEST(Doctor, sizes_read_well) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(3.0 * (1 << 30)), "3 GiB");
}

}  // namespace
}  // namespace lipizz::app::doctor_test
