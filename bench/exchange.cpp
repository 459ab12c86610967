// How long a message is on its way from one rank to another, by the program's own transport:
// `mpirun -np 2 bench_exchange [ROUNDS]`. On two nodes it measures their network. The time of a
// message is half of what it takes there and back, the median of all rounds; a line for each size,
// for bench/scaling to read.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "comm/mpi_session.hpp"
#include "core/clock.hpp"
#include "median.hpp"

namespace {

using namespace lipizz;

constexpr int kTag = 1;
constexpr std::size_t kSizes[] = {64, 4096, 65536, 1 << 20, 8 << 20};

double seconds_there_and_back(comm::Communicator& world, std::size_t n_bytes, const Clock& clock) {
  const double begin_s = clock.now_s();
  const int other = 1 - world.rank();
  if (world.rank() == 0) {
    world.isend(other, kTag, Bytes(n_bytes), "sending").wait();
    (void)world.receive(other, kTag, "receiving");
  } else {
    world.isend(other, kTag, world.receive(other, kTag, "receiving"), "sending back").wait();
  }
  return clock.now_s() - begin_s;
}

}  // namespace

int main(int argc, char** argv) {
  comm::MpiSession session;
  comm::Communicator world = session.world();
  const int n_rounds = argc > 1 ? std::atoi(argv[1]) : 51;
  if (world.size() != 2 || n_rounds < 1) {
    if (world.rank() == 0) std::fputs("usage: mpirun -np 2 bench_exchange [ROUNDS]\n", stderr);
    session.leave(2);
    return 2;
  }
  const SystemClock clock;
  for (const std::size_t n_bytes : kSizes) {
    std::vector<double> seconds;
    for (int round = 0; round < n_rounds; ++round) {
      seconds.push_back(seconds_there_and_back(world, n_bytes, clock) / 2);
    }
    if (world.rank() != 0) continue;
    std::printf("%zu bytes  %.2f us\n", n_bytes, bench::median(seconds) * 1e6);
  }
  session.leave(0);
}
