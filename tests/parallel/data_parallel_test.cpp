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

}  // namespace
}  // namespace lipizz::parallel::data_parallel_test
