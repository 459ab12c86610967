#include "comm/mpi_communicator.hpp"

#include <gmock/gmock.h>

#include "comm/conformance.hpp"
#include "comm/mpi_test_world.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::comm::mpi_communicator_test {
namespace {

TestWorld faulty_mpi_world() {
  return {"mpi_delayed", [](const RankBody& body) {
            mpi_test_world().run([&](Communicator world) {
              body(make_faulty(std::move(world), {.delay_polls = 2}));
            });
          }};
}

INSTANTIATE_TEST_SUITE_P(, CommunicatorConformance,
                         ::testing::Values(mpi_test_world(), faulty_mpi_world()), name_of_world);

}  // namespace
}  // namespace lipizz::comm::mpi_communicator_test
