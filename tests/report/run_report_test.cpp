#include "report/run_report.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "report/run_folder.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::run_report_test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RunReport, lies_in_the_run_s_folder_and_touches_nothing_else) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const std::string metrics = text_of(folder / "metrics.jsonl");
  const std::size_t n_files = folder.files().size();
  const std::filesystem::path file = write_run_report(folder.path(), "");
  EXPECT_EQ(file, folder / "report.html");
  EXPECT_EQ(folder.files().size(), n_files + 1);
  EXPECT_EQ(text_of(folder / "metrics.jsonl"), metrics);
  EXPECT_EQ(text_of(file).find("<!doctype html>"), 0);
  EXPECT_EQ(write_run_report(folder.path(), ""), file);  // again
  EXPECT_EQ(folder.files().size(), n_files + 1);
}

TEST(RunReport, lies_where_it_is_wanted) {
  const TemporaryFolder folder;
  write_run(folder.path());
  EXPECT_EQ(write_run_report(folder.path(), folder / "mine.html"), folder / "mine.html");
  write_text(folder / "other.html", "<html>");
  EXPECT_THROW(write_run_report(folder.path(), folder / "other.html"), ConfigError);
}

TEST(RunReport, a_hostile_run_adds_no_element) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const std::string plain = text_of(write_run_report(folder.path(), ""));
  config::Experiment experiment;
  experiment.name = "</script><script>alert(1)</script><!--";
  experiment.generations = 2;
  experiment.grid.rows = 1;
  experiment.grid.columns = 2;
  write_text(folder / "config.json", config::to_json(experiment));
  const std::string hostile = text_of(write_run_report(folder.path(), ""));
  const auto n_of = [](const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  for (const char* part : {"<script", "</script", "<!--"}) {
    EXPECT_EQ(n_of(hostile, part), n_of(plain, part)) << part;
  }
}

}  // namespace
}  // namespace lipizz::report::run_report_test
