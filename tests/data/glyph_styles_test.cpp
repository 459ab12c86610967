#include "data/glyph_styles.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace lipizz::data::glyph_styles_test {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

TEST(GlyphStyles, every_digit_has_several) {
  for (std::uint32_t digit = 0; digit < 10; ++digit) {
    EXPECT_THAT(glyph_styles(digit).size(), Ge(3U)) << digit;
  }
}

TEST(GlyphStyles, every_path_is_well_formed_and_fills_the_height) {
  for (std::uint32_t digit = 0; digit < 10; ++digit) {
    for (const PenPath path : glyph_styles(digit)) {
      int highest = 100;
      int lowest = 0;
      int n_in_stroke = 0;
      for (const PathPoint& point : path) {
        if (point == kPenUp) {
          EXPECT_GE(n_in_stroke, 2) << digit;
          n_in_stroke = 0;
          continue;
        }
        EXPECT_THAT(point.x, AllOf(Ge(0), Le(66))) << digit;
        EXPECT_THAT(point.y, AllOf(Ge(0), Le(100))) << digit;
        highest = std::min<int>(highest, point.y);
        lowest = std::max<int>(lowest, point.y);
        ++n_in_stroke;
      }
      EXPECT_GE(n_in_stroke, 2) << digit;
      EXPECT_LE(highest, 8) << digit;
      EXPECT_GE(lowest, 98) << digit;
    }
  }
}

TEST(GlyphStyles, no_two_paths_are_alike) {
  std::vector<PenPath> all;
  for (std::uint32_t digit = 0; digit < 10; ++digit) {
    for (const PenPath path : glyph_styles(digit)) {
      for (const PenPath& other : all) EXPECT_FALSE(std::ranges::equal(path, other)) << digit;
      all.push_back(path);
    }
  }
}

}  // namespace
}  // namespace lipizz::data::glyph_styles_test
