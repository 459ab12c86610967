#include "coev/latent_path.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.hpp"

namespace lipizz::coev::latent_path_test {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

TEST(LatentPath, begins_and_ends_with_the_two_to_the_bit) {
  std::vector<float> a(64);
  std::vector<float> b(64);
  Random(1, Purpose::kTest).normals(0, 1, 64, a);
  Random(2, Purpose::kTest).normals(0, 1, 64, b);
  EXPECT_EQ(on_great_circle(a, b, 0), a);
  EXPECT_EQ(on_great_circle(a, b, 1), b);
}

TEST(LatentPath, follows_the_circle_in_equal_angles) {
  for (const double angle : {0.02, 0.7, 1.5, 2.2, 3.1}) {
    const std::vector<float> a{2, 0};
    const std::vector<float> b{static_cast<float>(2 * std::cos(angle)),
                               static_cast<float>(2 * std::sin(angle))};
    for (const float t : {0.25f, 0.5f, 0.8f}) {
      const std::vector<float> expected{static_cast<float>(2 * std::cos(t * angle)),
                                        static_cast<float>(2 * std::sin(t * angle))};
      EXPECT_THAT(on_great_circle(a, b, t), Pointwise(FloatNear(2e-3f), expected)) << angle;
    }
  }
}

TEST(LatentPath, is_a_straight_line_where_there_is_no_one_circle) {
  EXPECT_EQ(on_great_circle(std::vector<float>{1, 0}, std::vector<float>{3, 0}, 0.5f),
            (std::vector<float>{2, 0}));
  EXPECT_EQ(on_great_circle(std::vector<float>{1, 0}, std::vector<float>{-1, 0}, 0.25f),
            (std::vector<float>{0.5f, 0}));
  EXPECT_EQ(on_great_circle(std::vector<float>{0, 0}, std::vector<float>{4, 0}, 0.25f),
            (std::vector<float>{1, 0}));
}

}  // namespace
}  // namespace lipizz::coev::latent_path_test
