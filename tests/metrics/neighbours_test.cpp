#include "metrics/neighbours.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::neighbours_test {
namespace {

using ::testing::ElementsAre;

TEST(Neighbours, distances_are_those_of_differences) {
  const auto a = testing::made_features(19, 1);
  const auto b = testing::made_features(19, 2);
  double expected = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    expected += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
  }
  EXPECT_NEAR(squared_distance(a, b), expected, 1e-14 * expected);
  EXPECT_EQ(squared_distance(a, b), squared_distance(b, a));
}

TEST(Neighbours, the_kth_does_not_count_the_row_itself_and_counts_copies) {
  const std::vector<float> line{0, 1, 3, 3, 7};
  const FeatureRows rows{line, 1};
  const auto frame = NeighbourRows::Frame::of(rows, rows);
  const NeighbourRows neighbours(rows, frame);
  EXPECT_THAT(neighbours.nearest(1), ElementsAre(1, 1, 0, 0, 16));
  EXPECT_THAT(neighbours.nearest(2), ElementsAre(9, 4, 4, 4, 16));
  EXPECT_THAT(neighbours.nearest(4), ElementsAre(49, 36, 16, 16, 49));
}

TEST(Neighbours, pairs_within_either_limit_are_visited_once) {
  const std::vector<float> line{0, 10};
  const std::vector<float> other_line{1, 5, 12};
  const FeatureRows rows{line, 1};
  const FeatureRows others{other_line, 1};
  const auto frame = NeighbourRows::Frame::of(rows, others);
  std::vector<std::vector<double>> found;
  NeighbourRows(rows, frame)
      .visit_near(std::vector<double>{2, 4}, NeighbourRows(others, frame),
                  std::vector<double>{0, 26, 0},
                  [&](std::size_t i, std::size_t j, double distance) {
                    found.push_back({double(i), double(j), distance});
                  });
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(ElementsAre(0, 0, 1), ElementsAre(0, 1, 25),
                                                     ElementsAre(1, 1, 25)));
}

}  // namespace
}  // namespace lipizz::metrics::neighbours_test
