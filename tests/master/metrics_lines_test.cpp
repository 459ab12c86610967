#include "master/metrics_lines.hpp"

#include <gmock/gmock.h>

#include "checkpoint/checked_line.hpp"
#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::master::metrics_lines_test {
namespace {

namespace fs = std::filesystem;
using checkpoint::testing::read_file;
using checkpoint::testing::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kCells = 2;

std::string line(Generation generation, std::uint32_t cell) {
  return checkpoint::checked_line("{\"generation\":" + std::to_string(generation) +
                                  ",\"cell\":" + std::to_string(cell) + "}") +
         "\n";
}

std::string lines(Generation generations) {
  std::string all;
  for (Generation g = 1; g <= generations; ++g) all += line(g, 0) + line(g, 1);
  return all;
}

struct Fixture {
  MetricsLines read(const std::string& text) const {
    write_file(path, text);
    return read_metrics_lines(path, kCells);
  }
  TemporaryFolder folder;
  fs::path path = folder / "metrics.jsonl";
};

TEST(MetricsLines, the_generations_of_which_all_is_there_are_counted) {
  const Fixture disk;
  EXPECT_EQ(read_metrics_lines(disk.path, kCells).generations, 0U) << "no file";
  EXPECT_EQ(disk.read("").generations, 0U);
  EXPECT_EQ(disk.read(lines(3)).generations, 3U);
  EXPECT_EQ(disk.read(lines(3) + line(4, 0)).generations, 3U);
  EXPECT_EQ(disk.read(lines(3) + line(4, 0) + line(4, 1).substr(0, 20)).generations, 3U);
  std::string without_break = lines(3);
  without_break.pop_back();
  EXPECT_EQ(disk.read(without_break).generations, 2U);
}

TEST(MetricsLines, what_a_lost_power_leaves_at_the_end_does_not_count) {
  const Fixture disk;
  EXPECT_EQ(disk.read(lines(3) + std::string(4096, '\0')).generations, 3U);
  const MetricsLines found = disk.read(lines(3) + line(4, 0) + std::string(60, '\0') + "\n");
  EXPECT_EQ(found.generations, 3U);
  EXPECT_THAT(found.damaged, IsEmpty());
}

TEST(MetricsLines, a_damaged_one_is_found_and_takes_no_other_with_it) {
  const Fixture disk;
  std::string text = lines(4);
  text[lines(1).size() + 5] ^= 1;
  const MetricsLines found = disk.read(text);
  EXPECT_EQ(found.generations, 4U);
  EXPECT_THAT(found.damaged, ElementsAre(3U));
}

TEST(MetricsLines, behind_a_lost_one_none_is_in_its_place) {
  const Fixture disk;
  EXPECT_EQ(disk.read(lines(2) + line(3, 1) + line(4, 0) + line(4, 1)).generations, 2U);
}

TEST(MetricsLines, that_cannot_be_read_are_told) {
  const Fixture disk;
  fs::create_directory(disk.path);
  EXPECT_THROW(read_metrics_lines(disk.path, kCells), CheckpointError);
}

TEST(MetricsLines, what_is_not_kept_is_set_aside) {
  const Fixture disk;
  write_file(disk.path, lines(3) + "half a li");
  keep_metrics_lines(disk.path, kCells);
  EXPECT_EQ(read_file(disk.path), lines(1));
  EXPECT_EQ(read_file(disk.folder / "set-aside-1/metrics.jsonl"),
            lines(3).substr(lines(1).size()) + "half a li");
  keep_metrics_lines(disk.path, kCells);
  EXPECT_FALSE(fs::exists(disk.folder / "set-aside-2")) << "nothing is left to drop";
  keep_metrics_lines(disk.path, 0);
  EXPECT_EQ(read_file(disk.path), "");
  EXPECT_EQ(read_file(disk.folder / "set-aside-2/metrics.jsonl"), lines(1));
}

TEST(MetricsLines, fewer_than_there_should_be_are_left_alone) {
  const Fixture disk;
  write_file(disk.path, lines(2) + "half");
  try {
    keep_metrics_lines(disk.path, 5);
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected 5 lines to go on from, found 4"));
  }
  EXPECT_EQ(read_file(disk.path), lines(2) + "half");
  EXPECT_EQ(disk.folder.n_files(), 1);
}

}  // namespace
}  // namespace lipizz::master::metrics_lines_test
