#include "report/thinning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lipizz::report::thinning_test {
namespace {

using Places = std::vector<std::size_t>;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

TEST(Thinned, a_short_series_stays_whole) {
  EXPECT_EQ(thinned(std::vector<float>{}, 4), Places{});
  EXPECT_EQ(thinned(std::vector<float>{3, kNone, 1, 2}, 4), (Places{0, 1, 2, 3}));
}

TEST(Thinned, keeps_the_extremes_of_each_bucket_in_order) {
  //                            0  |1  2  3 |4  5  6 | 7
  const std::vector<float> series{9, 5, 1, 7, 2, 8, 3, 0};
  EXPECT_EQ(thinned(series, 6), (Places{0, 2, 3, 4, 5, 7}));
}

TEST(Thinned, a_spike_of_one_generation_among_a_thousand_is_kept_wherever_it_stands) {
  for (std::size_t spike = 0; spike < 1000; spike += 37) {
    for (const float height : {50.0F, -50.0F}) {
      std::vector<float> series(1000);
      for (std::size_t i = 0; i < series.size(); ++i) series[i] = std::sin(0.01F * float(i));
      series[spike] = height;
      const Places places = thinned(series, 500);
      EXPECT_LE(places.size(), 500);
      EXPECT_TRUE(std::ranges::binary_search(places, spike)) << spike;
      EXPECT_EQ(places.front(), 0);
      EXPECT_EQ(places.back(), 999);
      EXPECT_TRUE(std::ranges::adjacent_find(places, std::greater_equal()) == places.end());
    }
  }
}

TEST(Thinned, a_gap_is_seen_and_a_nan_is_no_extreme) {
  std::vector<float> series(100, kNone);
  series[40] = 2;
  series[42] = 1;
  const Places places = thinned(series, 22);  // ten buckets
  EXPECT_TRUE(std::ranges::binary_search(places, 40));
  EXPECT_TRUE(std::ranges::binary_search(places, 42));
  EXPECT_GT(std::ranges::count_if(places, [&](std::size_t i) { return std::isnan(series[i]); }), 8);
}

TEST(Thinned, a_constant_series_keeps_one_place_of_each_bucket) {
  EXPECT_EQ(thinned(std::vector<float>(10, 1.0F), 6), (Places{0, 1, 5, 9}));
}

TEST(EvenlyChosen, few_are_all_chosen) {
  EXPECT_EQ(evenly_chosen(1, 3, 0), Places{0});
  EXPECT_EQ(evenly_chosen(3, 3, 1), (Places{0, 1, 2}));
}

TEST(EvenlyChosen, first_last_and_the_kept_one_are_among_them) {
  EXPECT_EQ(evenly_chosen(101, 5, 50), (Places{0, 25, 50, 75, 100}));
  EXPECT_EQ(evenly_chosen(101, 5, 30), (Places{0, 30, 50, 75, 100}));
  EXPECT_EQ(evenly_chosen(101, 5, 45), (Places{0, 25, 45, 75, 100}));
  for (std::size_t kept = 0; kept < 1000; ++kept) {
    const Places places = evenly_chosen(1000, 20, kept);
    ASSERT_EQ(places.size(), 20);
    EXPECT_EQ(places.front(), 0);
    EXPECT_EQ(places.back(), 999);
    EXPECT_TRUE(std::ranges::binary_search(places, kept)) << kept;
    EXPECT_TRUE(std::ranges::adjacent_find(places, std::greater_equal()) == places.end());
  }
  EXPECT_EQ(evenly_chosen(10, 3, 1), (Places{0, 1, 9}));
}

}  // namespace
}  // namespace lipizz::report::thinning_test
