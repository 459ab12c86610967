#include "parallel/device_conformance.hpp"

namespace lipizz::parallel::device_ranks_test {
namespace {

using comm::thread_world;

INSTANTIATE_TEST_SUITE_P(, DeviceRanks,
                         ::testing::Values(thread_world(1), thread_world(2), thread_world(3),
                                           thread_world(4), thread_world(8)),
                         comm::name_of_world);

}  // namespace
}  // namespace lipizz::parallel::device_ranks_test
