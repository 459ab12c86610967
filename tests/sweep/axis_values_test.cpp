#include "sweep/axis_values.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "core/text.hpp"

namespace lipizz::sweep::axis_values_test {
namespace {

using ::testing::ElementsAre;

std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> all;
  for (const std::string& text : texts) all.push_back(*parse_number<double>(text));
  return all;
}

TEST(AxisValues, a_linear_range) {
  EXPECT_THAT(spaced({.from = 0, .to = 1}, 5), ElementsAre("0", "0.25", "0.5", "0.75", "1"));
  EXPECT_THAT(spaced({.from = 0, .to = 1}, 4), ElementsAre("0", "0.333333", "0.666667", "1"));
}

TEST(AxisValues, a_logarithmic_range_meets_the_numbers_that_people_expect) {
  EXPECT_THAT(spaced({.from = 1e-4, .to = 1e-1, .scale = Scale::kLogarithmic}, 4),
              ElementsAre("0.0001", "0.001", "0.01", "0.1"));
  EXPECT_THAT(spaced({.from = 1e-4, .to = 1e-3, .scale = Scale::kLogarithmic}, 3),
              ElementsAre("0.0001", "0.000316228", "0.001"));
}

TEST(AxisValues, the_ends_of_a_range_are_exact) {
  EXPECT_EQ(spaced({.from = 0.123456789, .to = 1}, 2).front(), "0.123456789");
}

TEST(AxisValues, whole_numbers) {
  EXPECT_THAT(spaced({.from = 16, .to = 256, .scale = Scale::kLogarithmic, .is_whole = true}, 5),
              ElementsAre("16", "32", "64", "128", "256"));
  std::set<std::string> seen;
  for (const std::string& value : drawn({.from = 1, .to = 4, .is_whole = true}, 200, 1, "a")) {
    seen.insert(value);
  }
  EXPECT_THAT(seen, ElementsAre("1", "2", "3", "4"));
}

TEST(AxisValues, no_value_is_outside_of_its_range) {
  EXPECT_THAT(spaced({.from = 1234571, .to = 1234579, .is_whole = true}, 5),
              ElementsAre("1234571", "1234573", "1234575", "1234577", "1234579"));
  EXPECT_THAT(spaced({.from = 1.23456712, .to = 1.23456789}, 3),
              ElementsAre("1.23456712", "1.23456789", "1.23456789"));
}

TEST(AxisValues, draws_are_the_same_on_every_machine) {
  EXPECT_THAT(drawn({.from = 1e-5, .to = 1e-1, .scale = Scale::kLogarithmic}, 3, 1,
                    "generator.learning_rate"),
              ElementsAre("0.000106011", "5.48765e-05", "0.000188863"));
}

TEST(AxisValues, more_draws_leave_those_before_alone) {
  const Interval interval{.from = 0, .to = 1};
  std::vector<std::string> many = drawn(interval, 20, 3, "a");
  many.resize(5);
  EXPECT_EQ(many, drawn(interval, 5, 3, "a"));
  EXPECT_NE(many, drawn(interval, 5, 4, "a"));
  EXPECT_NE(many, drawn(interval, 5, 3, "b"));
}

// The mean of n uniform numbers is within 5 standard deviations, 1 / sqrt(12 n) each, of 1/2.
TEST(AxisValues, draws_are_uniform_on_their_scale) {
  constexpr std::size_t kN = 2000;
  const double tolerance = 5 / std::sqrt(12.0 * kN);
  double linear = 0;
  for (const double x : numbers(drawn({.from = 2, .to = 4}, kN, 1, "a"))) linear += (x - 2) / 2;
  EXPECT_NEAR(linear / kN, 0.5, tolerance);
  double logarithmic = 0;
  const Interval decades{.from = 1e-4, .to = 1, .scale = Scale::kLogarithmic};
  for (const double x : numbers(drawn(decades, kN, 1, "a"))) logarithmic += std::log10(x) / 4 + 1;
  EXPECT_NEAR(logarithmic / kN, 0.5, tolerance);
}

TEST(AxisValues, text_of_a_number_is_the_shortest_that_is_this_number) {
  EXPECT_EQ(exact_text(0.1), "0.1");
  EXPECT_EQ(exact_text(100), "100");
  EXPECT_EQ(exact_text(1e-8), "1e-08");
}

}  // namespace
}  // namespace lipizz::sweep::axis_values_test
