#include "report/series_text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace lipizz::report::series_text_test {
namespace {

TEST(SeriesText, numbers_have_five_digits_and_what_is_not_finite_is_null) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::array<float, 6> values{1, 0.123456F, 1e-9F, -kInfinity, kInfinity, -123456};
  EXPECT_EQ(list_text(values), "[1,0.12346,1e-09,null,null,-1.2346e+05]");
  EXPECT_EQ(list_text(std::array<std::uint32_t, 2>{0, 4'294'967'295}), "[0,4294967295]");
  EXPECT_EQ(list_text(std::span<const float>()), "[]");
}

TEST(SeriesText, places_are_steps_from_the_one_before) {
  const std::array<float, 3> whole{7, std::numeric_limits<float>::quiet_NaN(), 2};
  EXPECT_EQ(series_text(whole, 4), R"({"d":[1,1,1],"v":[7,null,2]})");
  const std::array<float, 8> series{9, 5, 1, 7, 2, 8, 3, 0};
  EXPECT_EQ(series_text(series, 6), R"({"d":[1,2,1,1,1,2],"v":[9,1,7,2,8,0]})");
  EXPECT_EQ(series_text({}, 4), R"({"d":[],"v":[]})");
}

TEST(SeriesText, generations_without_a_figure_are_left_out_where_few_have_it) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> series(1200, kNone);
  EXPECT_EQ(sparse_series_text(series, 4), R"({"d":[],"v":[]})");
  for (const std::size_t generation : {120, 240, 1200}) {
    series[generation - 1] = static_cast<float>(generation) / 10;
  }
  EXPECT_EQ(sparse_series_text(series, 4), R"({"d":[120,120,960],"v":[12,24,120]})");
  const std::array<float, 10> dense{kNone, 9, 5, 1, 7, 2, 8, kNone, 3, 0};
  EXPECT_EQ(sparse_series_text(dense, 6), R"({"d":[2,2,1,1,1,3],"v":[9,1,7,2,8,0]})");
}

}  // namespace
}  // namespace lipizz::report::series_text_test
