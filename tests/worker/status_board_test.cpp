#include "worker/status_board.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::worker::status_board_test {
namespace {

using enum comm::WorkerState;

TEST(StatusBoard, goes_from_inactive_to_processing_to_finished) {
  StatusBoard board;
  EXPECT_EQ(board.status().state, kInactive);
  board.enter(kProcessing);
  board.begin(7);
  EXPECT_EQ(board.status().state, kProcessing);
  EXPECT_EQ(board.status().generation, 7U);
  board.enter(kFinished);
  EXPECT_EQ(board.status().state, kFinished);
  EXPECT_EQ(board.status().generation, 7U);
}

TEST(StatusBoard, goes_back_to_processing_when_cells_are_assigned_anew) {
  StatusBoard board;
  board.enter(kProcessing);
  board.begin(7);
  board.enter(kProcessing);
  board.begin(5);
  EXPECT_EQ(board.status().generation, 5U) << "in the middle of training";
  board.enter(kFinished);
  board.enter(kProcessing);
  EXPECT_EQ(board.status().state, kProcessing) << "and after its end";
  board.begin(6);
  board.enter(kFinished);
  EXPECT_EQ(board.status().generation, 6U);
}

TEST(StatusBoard, goes_back_to_inactive_when_its_cells_have_moved_away) {
  StatusBoard board;
  board.enter(kInactive);
  board.enter(kProcessing);
  board.enter(kInactive);
  EXPECT_EQ(board.status().state, kInactive);
  EXPECT_THROW(board.enter(kFinished), InternalError);
}

TEST(StatusBoard, refuses_every_other_transition) {
  StatusBoard board;
  EXPECT_THROW(board.enter(kFinished), InternalError);
  EXPECT_THROW(board.begin(1), InternalError);
  board.enter(kProcessing);
  board.enter(kFinished);
  EXPECT_THROW(board.enter(kFinished), InternalError);
  EXPECT_THROW(board.begin(1), InternalError);
  EXPECT_EQ(board.status().state, kFinished) << "a refused transition changes nothing";
}

}  // namespace
}  // namespace lipizz::worker::status_board_test
