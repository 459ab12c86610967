#include "worker_run.hpp"

namespace lipizz::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkerAssignmentsTest : public WorkerTest {};

TEST_F(WorkerAssignmentsTest, another_assignment_while_it_holds_makes_it_go_back_to_the_same_end) {
  const auto expected = undisturbed();
  begin_halves_with({{.save_at = comm::Directive::kNever, .hold_from = 2}});
  EXPECT_EQ(next_of<comm::Paused>(MessageKind::kPaused).generation, 2U);
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {2}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 1U);
  EXPECT_EQ(fingerprints(), expected) << "and the course is forgotten";
  EXPECT_EQ(stop(0), 0);
}

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
  experiment_.checkpoint.every = "1";
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

// Rank 1 keeps the first cell and is the buddy of the second one.
TEST_F(WorkerAssignmentsTest, goes_on_from_the_copies_that_it_keeps) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  for (const Generation from : {1U, 2U}) {
    begin_halves_with({{.save_at = comm::Directive::kNever, .hold_from = 2}});
    wait_until_held(1, {1, {1}, 2});
    wait_until_held(2, {1, {0}, 2});  // so it has its own one too
    assign({2, from, {1, 1}, {1, 1}, {2}}, {1});
    EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
    EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

// Of four workers the first two have a cell each, and what follows a worker is its buddy; so rank 4
// has nothing of the first cell, and gets it from rank 3.
TEST_F(WorkerAssignmentsTest, a_spare_goes_on_from_copies_that_another_hands_over) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  n_workers_ = 4;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1, 3, 4});
  set({.save_at = comm::Directive::kNever, .hold_from = 2});
  static_cast<void>(status());
  assign(first_assignment(), {2});
  wait_until_held(3, {1, {0}, 2});
  wait_until_held(4, {1, {1}, 2});
  EXPECT_EQ(status(4).state, comm::WorkerState::kInactive);
  assign({2, 2, {4, 2}, {3, 2}, {1}}, {2, 3, 4});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 4).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics, 4).generation, 3U);
  EXPECT_EQ(fingerprint(4), expected.first);
  wait_until_finished(4);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 1U);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 2U);
  EXPECT_EQ(fingerprint(2), expected.second);
  wait_until_held(3, {2, {0}, 2});  // a buddy of the new host has it of the new incarnation
  EXPECT_EQ(stop(0, comm::Ending::kAlone), 0);
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

TEST_F(WorkerAssignmentsTest, what_it_hands_out_is_held_by_its_buddies) {
  survives_losses_ = true;
  begin();
  assign(first_assignment(), {2});
  for (Generation generation = 1; generation <= 3; ++generation) {
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
      EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{1, {cell}, generation}));
    }
  }
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerAssignmentsTest, a_copy_of_an_incarnation_that_is_over_is_not_held) {
  start();
  const auto hand_over = [&](const comm::Held& about) {
    tell(MessageKind::kCopy, comm::CellCopy{about, Bytes(5)}.encode());
  };
  hand_over({1, {0}, 5});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{1, {0}, 5}));
  assign({2, 0, {2, 2}, {kNobody, kNobody}, {}}, {1});
  hand_over({1, {0}, 6});
  hand_over({2, {1}, 1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{2, {1}, 1}));
  EXPECT_EQ(stop(0), 0);
}

// It is asked for what it had.
TEST_F(WorkerAssignmentsTest, drops_the_copies_that_nobody_will_go_back_to) {
  start();
  for (const Generation generation : {4U, 5U}) {
    tell(MessageKind::kCopy, comm::CellCopy{{1, {0}, generation}, Bytes(5)}.encode());
  }
  tell(MessageKind::kStable, comm::Stable{5}.encode());
  assign({2, 5, {2, 2}, {1, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{2, {0}, 5}));
  assign({3, 4, {2, 2}, {1, kNobody}, {}}, {1});
  tell(MessageKind::kStop, comm::Stop{}.encode(), 2);
  join();
  EXPECT_THAT(left_[1].error, HasSubstr("rank 1 has no copy of cell 0 at generation 4"));
}

TEST_F(WorkerAssignmentsTest, a_copy_that_is_damaged_is_an_error) {
  survives_losses_ = true;
  start();
  tell(MessageKind::kCopy, comm::CellCopy{{1, {0}, 1}, Bytes(500)}.encode());
  assign({1, 1, {1, 1}, {2, 2}, {}}, {1});
  const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
  EXPECT_EQ(failure.exit_code, 6);
  EXPECT_THAT(failure.message, HasSubstr("copy of cell 0 at 1"));
  EXPECT_EQ(stop(6), 6);
}

// Of a grid of another size, on a rank that is not there, on the master.
TEST_F(WorkerAssignmentsTest, an_assignment_that_makes_no_sense_cuts_a_worker_off) {
  for (const auto& hosts : {std::vector<std::int32_t>{1}, {1, 3}, {0, 1}}) {
    start();
    comm::Assignment wrong = first_assignment();
    wrong.rank_of_cell = hosts;
    wrong.source_of_cell.assign(hosts.size(), kNobody);
    assign(wrong, {1, 2});
    join();
    EXPECT_THAT(left_[1].error, HasSubstr("an assignment"));
  }
}

}  // namespace
}  // namespace lipizz::worker
