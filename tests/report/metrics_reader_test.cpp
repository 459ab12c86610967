#include "report/metrics_reader.hpp"

#include <gtest/gtest.h>

#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::metrics_reader_test {
namespace {

constexpr grid::Torus kTorus{.rows = 1, .columns = 2};

class MetricsReaderTest : public ::testing::Test {
 protected:
  void append(const std::string& text) { write_text(file_, text_ += text); }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "metrics.jsonl";
  std::string text_;
  MetricsReader reader_{file_, kTorus};
};

TEST_F(MetricsReaderTest, returns_each_line_once_as_the_file_grows) {
  EXPECT_TRUE(reader_.read().empty());
  append(written_line(0, 1, kTorus) + "\n" + written_line(1, 1, kTorus) + "\n");
  EXPECT_EQ(reader_.read().size(), 2);
  EXPECT_TRUE(reader_.read().empty());
  append(written_line(0, 2, kTorus) + "\n");
  const auto more = reader_.read();
  ASSERT_EQ(more.size(), 1);
  EXPECT_EQ(more[0].generation, 2);
}

TEST_F(MetricsReaderTest, waits_for_the_end_of_a_line) {
  const std::string line = written_line(0, 1, kTorus);
  append(line.substr(0, 40));
  EXPECT_TRUE(reader_.read().empty());
  append(line.substr(40));
  EXPECT_TRUE(reader_.read().empty());
  append("\n");
  EXPECT_EQ(reader_.read().size(), 1);
  EXPECT_EQ(reader_.n_damaged(), 0);
}

TEST_F(MetricsReaderTest, leaves_out_and_counts_what_is_damaged) {
  append("{}\n" + written_line(1, 1, kTorus) + "\n" + std::string(2 << 20, 'x') + "\n");
  EXPECT_EQ(reader_.read().size(), 1);
  EXPECT_EQ(reader_.n_damaged(), 2);
}

TEST_F(MetricsReaderTest, begins_again_when_a_resume_has_shortened_the_file) {
  append(written_line(0, 1, kTorus) + "\n" + written_line(1, 1, kTorus) + "\n");
  EXPECT_EQ(reader_.read().size(), 2);
  text_.clear();
  append(written_line(0, 1, kTorus) + "\n");
  EXPECT_EQ(reader_.read().size(), 1);
  EXPECT_TRUE(reader_.has_begun_again());
}

}  // namespace
}  // namespace lipizz::report::metrics_reader_test
