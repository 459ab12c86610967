#include "comm/mpi_session.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>

namespace lipizz::comm::mpi_session_test {
namespace {

constexpr std::array kVariables{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK"};

// One process, one test: MPI can be started only once, and only without a launcher's variables does
// it start alone.
TEST(MpiSession, the_library_tells_its_name_and_version) {
  const Library library = mpi_library();
  EXPECT_EQ(library.name, "MPI");
  EXPECT_NE(library.version.find_first_of("0123456789"), std::string::npos) << library.version;
  EXPECT_EQ(library.version.find('\n'), std::string::npos);
}

TEST(MpiSession, a_plain_start_is_one_rank_that_asked_for_no_mpi) {
  for (const char* name : kVariables) unsetenv(name);
  EXPECT_FALSE(started_by_launcher());
  for (const char* name : kVariables) {
    setenv(name, "1", 1);
    EXPECT_TRUE(started_by_launcher()) << name;
    unsetenv(name);
  }

  MpiSession session;
  Communicator world = session.world();
  EXPECT_EQ(world.rank(), 0);
  EXPECT_EQ(world.size(), 1);
  {
    const MpiSession guest;  // finds MPI started, so it must not end it
  }
  EXPECT_THAT(world.allgather(2.5, "MPI still works"), ::testing::ElementsAre(2.5));
  EXPECT_EXIT(session.leave_alone(7), ::testing::ExitedWithCode(7), "");
  session.leave(0);
  session.leave(0);  // as the destructor does: nothing is left to end
}

}  // namespace
}  // namespace lipizz::comm::mpi_session_test
