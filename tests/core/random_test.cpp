#include "core/random.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace lipizz::random_test {
namespace {

// Known-answer vectors of Random123 for philox4x32-10: counter and key all zero, and all ones.
TEST(Random, matches_the_published_vectors_of_philox) {
  EXPECT_EQ(Random(0, Purpose{0}).block(0, 0),
            (Random::Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      Random(~0ULL, Purpose{255}, CellId{0xffffff}, 0xffffffffU).block(0xffffffffU, 0xffffffffU),
      (Random::Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Random, no_two_streams_agree) {
  std::set<Random::Block> seen;
  for (std::uint64_t seed : {1ULL, 2ULL, 1ULL << 32}) {
    for (std::uint32_t cell : {0U, 1U, 16U}) {
      for (Generation generation : {0U, 1U}) {
        for (Purpose purpose : {Purpose::kShuffle, Purpose::kGeneratorNoise}) {
          for (std::uint32_t sample : {0U, 1U}) {
            EXPECT_TRUE(
                seen.insert(Random(seed, purpose, CellId{cell}, generation).block(sample)).second);
          }
        }
      }
    }
  }
}

TEST(Random, normals_do_not_depend_on_how_they_are_drawn) {
  const Random random(7, Purpose::kTest, CellId{3}, 9);
  for (std::uint32_t width : {1U, 2U, 3U, 4U, 5U, 64U, 100U}) {
    std::vector<float> whole(10 * width);
    random.normals(5, 10, width, whole);
    for (std::uint32_t i = 0; i < 10; ++i) {
      std::vector<float> one(width);
      random.normals(5 + i, 1, width, one);
      EXPECT_TRUE(std::equal(one.begin(), one.end(), whole.begin() + i * width)) << width;
      EXPECT_EQ(one[0], random.normal(5 + i));
    }
  }
}

TEST(Random, normals_have_the_moments_of_a_normal_distribution) {
  std::vector<float> x(1 << 20);
  Random(1, Purpose::kTest).normals(0, 1 << 14, 64, x);
  double sum = 0, square = 0, cube = 0, fourth = 0;
  for (double v : x) {
    sum += v;
    square += v * v;
    cube += v * v * v;
    fourth += v * v * v * v;
  }
  const double n = static_cast<double>(x.size());  // tolerances: five standard errors
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(cube / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
}

TEST(Random, uniforms_are_the_words_of_blocks_however_many_are_asked_for) {
  const Random random(7, Purpose::kTest, CellId{3}, 9);
  std::vector<float> whole(103);
  random.uniforms(5, whole);
  for (std::uint32_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i], static_cast<float>(random.block(5, i / 4)[i % 4] >> 8) / (1 << 24)) << i;
  }
  EXPECT_EQ(whole[4], random.uniform(5, 1));
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 64U}) {
    std::vector<float> some(n);
    random.uniforms(5, some);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), whole.begin())) << n;
  }
}

TEST(Random, below_stays_below_and_reaches_everything) {
  const Random random(3, Purpose::kTest);
  std::vector<int> count(5);
  for (std::uint32_t i = 0; i < 5000; ++i) ++count.at(random.below(5, i));
  for (int c : count) EXPECT_NEAR(c, 1000, 150);
  EXPECT_EQ(random.below(1, 0), 0U);
}

TEST(Random, a_permutation_holds_every_index_once) {
  auto order = Random(3, Purpose::kShuffle).permutation(1000);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
  EXPECT_TRUE(Random(3, Purpose::kShuffle).permutation(0).empty());
}

// Fisher and Yates (1938), as Durstenfeld has it: each place from the last one on is changed with
// one up to it.
TEST(Random, a_permutation_is_the_one_that_single_numbers_give) {
  const Random random(3, Purpose::kShuffle);
  for (const std::uint32_t n : {1U, 2U, 16U, 17U, 33U, 1000U}) {
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0U);
    for (std::uint32_t i = n; i > 1; --i) std::swap(expected[i - 1], expected[random.below(i, i)]);
    EXPECT_EQ(random.permutation(n), expected);
  }
}

}  // namespace
}  // namespace lipizz::random_test
