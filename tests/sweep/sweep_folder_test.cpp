#include "sweep/sweep_folder.hpp"

#include <gmock/gmock.h>

#include "checkpoint/checked_line.hpp"
#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::sweep_folder_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Folder : public ::testing::Test {
 protected:
  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
};

TEST_F(Folder, runs_are_found_by_their_ids) {
  make_folders(folder_.runs() / "rate-0.1_seed-1-0123456789abcdef");
  make_folders(folder_.runs() / "rate-0.1_seed-1-0123456789abcdeX");
  make_folders(folder_.runs() / "0123456789abcdef");
  make_folders(folder_.runs() / "a");
  const auto found = run_folders(folder_);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found.at("0123456789abcdef"), folder_.runs() / "rate-0.1_seed-1-0123456789abcdef");
  EXPECT_THAT(run_folders({temporary_ / "none"}), IsEmpty());
}

TEST_F(Folder, results_of_before_are_found_beside_the_present_one) {
  const std::filesystem::path run = temporary_ / "run";
  EXPECT_THAT(results_of(run), IsEmpty());
  write_result(run, {.score = 1, .generations = 8});
  write_result(run / "set-aside-1", {.score = 3, .generations = 2});
  write_result(run / "set-aside-2", {.score = 2, .generations = 4});
  make_folders(run / "set-aside-3");
  make_folders(run / "checkpoints");
  std::vector<Generation> generations;
  for (const auto& result : results_of(run)) generations.push_back(result.generations);
  EXPECT_THAT(generations, ElementsAre(2, 4, 8));
}

TEST_F(Folder, a_damaged_result_is_an_error) {
  write_text(temporary_ / "run/result.json", "{");
  EXPECT_THROW(results_of(temporary_ / "run"), CheckpointError);
}

std::string metrics_line(int generation) {
  return checkpoint::checked_line(
             R"({"generation":)" + std::to_string(generation) +
             R"(,"cell":0,"score":1,"generator":{"loss":1,"rate":1,"origin":0,"replaced":true},)"
             R"("discriminator":{"loss":1,"rate":1,"origin":0,"replaced":true},)"
             R"("mixture":[],"seconds":{}})") +
         "\n";
}

TEST_F(Folder, the_last_whole_generation_is_the_one_reached) {
  const grid::Torus torus{.rows = 1, .columns = 1};
  EXPECT_EQ(generation_reached(temporary_ / "none", torus), 0);
  std::string lines;
  for (int generation = 1; generation <= 1000; ++generation) lines += metrics_line(generation);
  write_text(temporary_ / "run/metrics.jsonl", lines + metrics_line(1001).substr(0, 20));
  EXPECT_EQ(generation_reached(temporary_ / "run", torus), 1000);
}

TEST_F(Folder, what_the_program_said_last) {
  const std::filesystem::path log = temporary_ / "log";
  EXPECT_EQ(last_words(log), "");
  write_text(log, "lipizz: one\nlipizz: warning: something\nlipizz: two\nother\n");
  EXPECT_EQ(last_words(log), "two");
}

TEST_F(Folder, a_start_is_noted_behind_what_is_there) {
  const std::filesystem::path log = folder_.log("a");
  EXPECT_EQ(last_start(log), "");
  const std::chrono::system_clock::time_point when{std::chrono::seconds(1'000'000'000)};
  note_start(log, when, "lipizz train");
  EXPECT_EQ(last_start(log), "2001-09-09T01:46:40Z");
  note_start(log, when + std::chrono::seconds(5), "lipizz train");
  EXPECT_EQ(last_start(log), "2001-09-09T01:46:45Z");
  EXPECT_THROW(note_start("/dev/full", when, "lipizz train"), CheckpointError);
}

}  // namespace
}  // namespace lipizz::sweep::sweep_folder_test
