#include "coev/replacement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "coev/operator_conformance.hpp"
#include "coev/replacement/elitist.hpp"
#include "coev/replacement/generational.hpp"

namespace lipizz::coev::replacement_test {
namespace {

using ::testing::Contains;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Decision decide(const Replacement& replacement, double centre, double offspring) {
  return replacement.decide(centre, offspring, {});
}

TEST(Replacement, elitist_takes_only_what_is_strictly_better) {
  EXPECT_EQ(decide(kElitistReplacement, 2, 1), Decision::kOffspring);
  EXPECT_EQ(decide(kElitistReplacement, 1, 1), Decision::kKeep);
  EXPECT_EQ(decide(kElitistReplacement, 1, 2), Decision::kKeep);
  EXPECT_EQ(decide(kElitistReplacement, 1, kNan), Decision::kKeep);
  EXPECT_EQ(decide(kElitistReplacement, kNan, 9), Decision::kOffspring);
  EXPECT_EQ(decide(kElitistReplacement, kNan, kNan), Decision::kRescue);
}

TEST(Replacement, generational_takes_whatever_is_finite) {
  EXPECT_EQ(decide(kGenerationalReplacement, 1, 2), Decision::kOffspring);
  EXPECT_EQ(decide(kGenerationalReplacement, kNan, 2), Decision::kOffspring);
  EXPECT_EQ(decide(kGenerationalReplacement, 1, kNan), Decision::kRescue);
}

TEST(Replacement, every_row_conforms) {
  for (const Replacement* row : replacements()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(Replacement, the_suite_finds_each_property_broken) {
  Replacement spoiled = kElitistReplacement;
  spoiled.decide = [](double, double, ParameterValues) {
    static int n_calls = 0;
    return n_calls++ % 2 == 0 ? Decision::kOffspring : Decision::kRescue;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.decide = [](double centre, double offspring, ParameterValues) {
    return offspring > centre ? Decision::kKeep : Decision::kOffspring;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("NaN loses"));
  spoiled.decide = [](double, double, ParameterValues) { return Decision::kKeep; };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("NaN loses"));
  spoiled.decide = [](double, double, ParameterValues) { return Decision::kRescue; };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("takes what is finite"));
  spoiled = kElitistReplacement;
  spoiled.compares_fitness = false;
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("compares as it says"));
}

}  // namespace
}  // namespace lipizz::coev::replacement_test
