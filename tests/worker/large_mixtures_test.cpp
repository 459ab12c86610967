#include <gtest/gtest.h>

#include "read_mixture.hpp"

namespace lipizz::worker::large_mixtures_test {
namespace {

TEST(LargeMixtures, are_read_elsewhere_to_the_same_samples) {
  testing::expect_models_read([](std::size_t n_parameters) { return n_parameters > 1'000'000; });
}

}  // namespace
}  // namespace lipizz::worker::large_mixtures_test
