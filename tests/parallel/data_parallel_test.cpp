#include "parallel/mixed_precision_conformance.hpp"
#include "parallel/zero_conformance.hpp"

namespace lipizz::parallel::data_parallel_test {
namespace {

using comm::thread_world;

INSTANTIATE_TEST_SUITE_P(, CollectivesConformance,
                         ::testing::Values(thread_world(1), thread_world(2), thread_world(3),
                                           thread_world(4), thread_world(8)),
                         comm::name_of_world);
INSTANTIATE_TEST_SUITE_P(, DataParallel,
                         ::testing::Values(thread_world(1), thread_world(2), thread_world(3),
                                           thread_world(4)),
                         comm::name_of_world);

// Accumulated or not, clipped or not, in fp16 or not.
TEST(ZeroStages, z2_z6_every_pair_of_them_and_every_way_have_the_bits_of_one_rank) {
  comm::run_on_threads(2, [](comm::Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    expect_of_all_stages(ways_of_updates(std::vector{2U, 6U}), 7, cell);
  });
}

}  // namespace
}  // namespace lipizz::parallel::data_parallel_test
