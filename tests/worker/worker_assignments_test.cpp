#include "worker_run.hpp"

namespace lipizz::worker::worker_assignments_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkerAssignmentsTest : public WorkerTest {};

// It waits for a neighbour that never begins.
TEST_F(WorkerAssignmentsTest, another_assignment_while_it_waits_for_a_publication_does_so_too) {
  const auto expected = undisturbed();
  rank_of_cell_ = {1, 2};
  begin();
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 1U);
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {2}}, {1});
  EXPECT_EQ(fingerprints(), expected);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerAssignmentsTest, another_assignment_ends_training_in_the_middle_of_a_generation) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  begin();
  while (status().generation < 2) {
  }
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 1U);
  EXPECT_EQ(stop(75), 75);
}

TEST_F(WorkerAssignmentsTest, another_assignment_after_the_end_makes_it_train_again) {
  begin();
  const auto expected = fingerprints();
  wait_until_finished();
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(fingerprints(), expected);
  wait_until_finished();
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerAssignmentsTest, another_assignment_goes_on_from_files_where_there_are_no_copies) {
  const auto expected = undisturbed();
  experiment_.outputs.checkpoint.every = "1";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  assign({2, 1, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 2U);
  EXPECT_EQ(fingerprints(), expected);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerAssignmentsTest, after_an_error_it_still_does_what_the_master_says) {
  experiment_.seed = coev::fake::kSeedOfFailure;
  begin();
  EXPECT_EQ(next_of<comm::Failure>(MessageKind::kFailure).exit_code, 4);
  assign({2, 0, {1, 2}, {kNobody, kNobody}, {}}, {1, 2});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Failure>(MessageKind::kFailure, 2).exit_code, 4);
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerAssignmentsTest, a_spare_begins_from_the_seed_where_nothing_was_finished) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  n_workers_ = 3;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1, 3});  // rank 2 is lost before it began
  assign({2, 0, {1, 3}, {kNobody, kNobody}, {2}}, {1, 3});
  EXPECT_EQ(fingerprint(1), expected.first);
  EXPECT_EQ(fingerprint(3), expected.second);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerAssignmentsTest, a_copy_that_is_damaged_is_an_error) {
  survives_losses_ = true;
  start();
  hand_over({{1, {0}, 1}, Bytes(500, std::byte{7})});
  wait_until_held(1, {1, {0}, 1});
  assign({1, 1, {1, 1}, {2, 2}, {}}, {1});
  const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
  EXPECT_EQ(failure.exit_code, 6);
  EXPECT_THAT(failure.message, HasSubstr("copy of cell 0 at 1"));
  EXPECT_EQ(stop(6), 6);
}

}  // namespace
}  // namespace lipizz::worker::worker_assignments_test
