#pragma once

#include "parallel/conformance.hpp"

/// The requirements on mixed precision, on every transport and for any number of ranks. AMP-1 and
/// the like are names of ours.
namespace lipizz::parallel {

// Updates in shards and of whole tensors, with a scale that is too large at first.
TEST_P(DataParallel, amp_ranks_have_the_bits_of_one) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    for (const char* const name : {"adam", "lamb"}) {
      training::Training how{nn::make_model("mlp-2d"), 12, {.penalty = &nn::find_penalty("r1")}};
      how.optimizer = {.kind = nn::find_optimizer(name), .mixed = {nn::Half::kFp16}};
      EXPECT_EQ(after_steps(how, 9, &cell, 5), by_one_rank(how, 9, cell, 5)) << name;
    }
    for (const nn::Half format : {nn::Half::kFp16, nn::Half::kBf16}) {
      training::Training how = for_ranks(training::with_options().front(), cell.size());
      how.optimizer.mixed = {format};
      how.optimizer.clip_norm = 0.1;
      EXPECT_EQ(after_steps(how, cell.size(), &cell, 2, 2), by_one_rank(how, cell.size(), cell, 2));
    }
  });
}

// The last sample of a batch, which the last rank sees, is spoilt in the second step: nobody makes
// that one, and all go on with the third.
TEST_P(DataParallel, amp1_clip3_no_rank_makes_an_update_that_one_cannot) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    training::Training how{nn::make_model("mlp-2d"), 16};
    how.spoilt_sample = 2 * how.batch - 1;
    for (const nn::OptimizerSpec& optimizer :
         {nn::OptimizerSpec{.mixed = {nn::Half::kFp16}}, nn::OptimizerSpec{.clip_norm = 1},
          nn::OptimizerSpec{.clip_value = 1}}) {
      how.optimizer = optimizer;
      const training::Pair found = after_steps(how, cell.size(), &cell, 3);
      EXPECT_EQ(found, by_one_rank(how, cell.size(), cell, 3));
      EXPECT_EQ(found.d_history.n_skipped, 1U);
    }
  });
}

}  // namespace lipizz::parallel
