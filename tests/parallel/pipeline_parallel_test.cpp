#include "parallel/pipeline_conformance.hpp"

namespace lipizz::parallel::pipeline_parallel_test {
namespace {

using comm::thread_world;

INSTANTIATE_TEST_SUITE_P(, PipelineParallel,
                         ::testing::Values(thread_world(1), thread_world(2), thread_world(3),
                                           thread_world(4), thread_world(8)),
                         comm::name_of_world);

}  // namespace
}  // namespace lipizz::parallel::pipeline_parallel_test
