#include "coev/offspring_seed.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lipizz::coev::offspring_seed_test {
namespace {

TEST(OffspringSeed, is_the_runs_own_for_the_first_alone) {
  EXPECT_EQ(seed_of_offspring(7, 0), 7U);
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (std::uint32_t number = 0; number < 10; ++number) {
      seeds.insert(seed_of_offspring(seed, number));
    }
  }
  EXPECT_EQ(seeds.size(), 100U);
}

}  // namespace
}  // namespace lipizz::coev::offspring_seed_test
