#include "setup/inventory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "core/host.hpp"

namespace lipizz::setup::inventory_test {
namespace {

// GRID-2: what each rank tells of its node.
TEST(Inventory, tells_what_this_process_is_and_has) {
  config::Experiment experiment;
  experiment.compute.engine = "reference";
  const double load_before = host_load();
  const comm::InventoryEntry entry = inventory_of_this_process(experiment, 42);
  EXPECT_FALSE(entry.host.empty());
  EXPECT_EQ(entry.pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_GE(entry.cores.n, 1U);
  EXPECT_EQ(entry.cores.n, usable_cores());
  EXPECT_EQ(entry.cores.set, core_set());
  EXPECT_NE(entry.cores.set, 0U);
  EXPECT_TRUE(entry.load == load_before || entry.load == host_load());
  EXPECT_GT(entry.memory.bytes, 1U << 26);
  EXPECT_FALSE(entry.program.version.empty());
  for (const char* name : {"MPI", "Eigen", "zlib", "libpng", "libjpeg-turbo", "HDF5", "compiler"}) {
    const auto library = std::ranges::find(entry.program.libraries, name, &Library::name);
    ASSERT_NE(library, entry.program.libraries.end()) << name;
    EXPECT_FALSE(library->version.empty()) << name;
  }
  EXPECT_EQ(entry.configuration, 42U);
  EXPECT_EQ(entry.engine, "reference");
  EXPECT_EQ(entry.numerics_levels.front(), "baseline");
  EXPECT_EQ(entry.exit_code, 0);
  EXPECT_EQ(entry.program.build, inventory_of_this_process(experiment, 43).program.build);
}

}  // namespace
}  // namespace lipizz::setup::inventory_test
