#include "worker/master_link.hpp"

#include "worker_run.hpp"

namespace lipizz::worker::master_link_test {
namespace {

// The master falls silent for good where its process is gone: all that is left is a file.
class MasterLinkTest : public WorkerTest {};

TEST_F(MasterLinkTest, says_in_a_file_of_its_own_what_the_master_cannot_hear) {
  start();
  comm::Assignment wrong = first_assignment();
  wrong.rank_of_cell = {0, 0};  // cuts the workers off
  assign(wrong, {1, 2});
  join();
  std::ifstream file(folder_ / "run.rank1.log");
  std::string line;
  std::getline(file, line);
  EXPECT_THAT(line, ::testing::HasSubstr("error rank 1: rank 1: an assignment of other cells"));
}

TEST_F(MasterLinkTest, sends_lines_and_failures_while_it_can) {
  experiment_.seed = coev::fake::kSeedOfFailure;
  begin();
  EXPECT_EQ(next_of<comm::Failure>(MessageKind::kFailure).message, "the samples are gone");
  EXPECT_EQ(stop(4), 4);
  EXPECT_FALSE(fs::exists(folder_ / "run.rank1.log"));
}

}  // namespace
}  // namespace lipizz::worker::master_link_test
