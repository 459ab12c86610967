#include "comm/mpi_test_world.hpp"
#include "parallel/device_conformance.hpp"
#include "parallel/mixed_precision_conformance.hpp"
#include "parallel/pipeline_conformance.hpp"
#include "parallel/zero_conformance.hpp"

namespace lipizz::parallel::mpi_collectives_test {
namespace {

INSTANTIATE_TEST_SUITE_P(, CollectivesConformance, ::testing::Values(comm::mpi_test_world()),
                         comm::name_of_world);
INSTANTIATE_TEST_SUITE_P(, DataParallel, ::testing::Values(comm::mpi_test_world()),
                         comm::name_of_world);
INSTANTIATE_TEST_SUITE_P(, DeviceRanks, ::testing::Values(comm::mpi_test_world()),
                         comm::name_of_world);
INSTANTIATE_TEST_SUITE_P(, PipelineParallel, ::testing::Values(comm::mpi_test_world()),
                         comm::name_of_world);

}  // namespace
}  // namespace lipizz::parallel::mpi_collectives_test
