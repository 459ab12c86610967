#include "report/growing_lines.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::growing_lines_test {
namespace {

using ::testing::ElementsAre;
using Lines = std::vector<std::string>;

class GrowingLinesTest : public ::testing::Test {
 protected:
  Lines read() {
    Lines lines;
    lines_.read([&](std::string_view line) {
      lines.emplace_back(line);
      return line != "odd";
    });
    return lines;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "lines";
  GrowingLines lines_{file_};
};

TEST_F(GrowingLinesTest, hands_over_whole_lines_once) {
  EXPECT_THAT(read(), ElementsAre());
  write_text(file_, "one\ntw");
  EXPECT_THAT(read(), ElementsAre("one"));
  write_text(file_, "one\ntwo\n\n");
  EXPECT_THAT(read(), ElementsAre("two", ""));
  EXPECT_THAT(read(), ElementsAre());
}

TEST_F(GrowingLinesTest, counts_what_is_of_no_use) {
  write_text(file_, "odd\neven\nodd\n");
  EXPECT_THAT(read(), ElementsAre("odd", "even", "odd"));
  EXPECT_EQ(lines_.n_damaged(), 2);
}

TEST_F(GrowingLinesTest, begins_again_with_a_file_that_has_become_shorter) {
  write_text(file_, "odd\ntwo\n");
  read();
  EXPECT_FALSE(lines_.has_begun_again());
  write_text(file_, "new\n");
  EXPECT_THAT(read(), ElementsAre("new"));
  EXPECT_TRUE(lines_.has_begun_again());
  EXPECT_EQ(lines_.n_damaged(), 0);
}

TEST_F(GrowingLinesTest, a_file_that_cannot_be_read_is_an_error) {
  std::filesystem::create_symlink(file_, file_);
  EXPECT_THROW(read(), CheckpointError);
}

}  // namespace
}  // namespace lipizz::report::growing_lines_test
