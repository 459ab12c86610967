#include "data/glyph_edges.hpp"

#include <gmock/gmock.h>

#include <array>

#include "data/glyphs.hpp"
#include "data/support.hpp"

namespace lipizz::data::glyph_edges_test {
namespace {

constexpr int kExtent = 32;

class GlyphEdges : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { dataset_ = open_dataset("glyph-edges", {}); }
  static void TearDownTestSuite() { dataset_.reset(); }

  /// Channel c of a training sample at (x, y), 0 to 255.
  static int level(std::span<const float> sample, int x, int y, int c) {
    const auto place = static_cast<std::size_t>((y * kExtent + x) * 2 + c);
    return static_cast<int>((sample[place] + 1) * 127.5f + 0.5f);
  }
  static std::vector<float> sample(std::uint32_t index) {
    std::vector<float> values(dataset_->shape().size());
    dataset_->read_train(std::array{index}, values);
    return values;
  }

  static inline std::shared_ptr<const Dataset> dataset_;
};

TEST_F(GlyphEdges, are_pairs_of_one_channel_each) {
  EXPECT_EQ(dataset_->shape().size(), 32U * 32 * 2);
  EXPECT_EQ(dataset_->n_condition_channels(), 1U);
  EXPECT_EQ(dataset_->n_classes(), 0U);
  EXPECT_EQ(dataset_->n_train(), 10'000U);
  EXPECT_EQ(dataset_->n_test(), 1'000U);
}

TEST_F(GlyphEdges, the_result_is_the_glyph_in_a_black_margin) {
  std::array<std::uint8_t, std::size_t{28} * 28> glyph;
  draw_glyph(17, glyph);
  const std::vector<float> values = sample(17);
  for (int y = 0; y < kExtent; ++y) {
    for (int x = 0; x < kExtent; ++x) {
      const bool is_margin = std::min(x, y) < 2 || std::max(x, y) >= 30;
      const int expected = is_margin ? 0 : glyph[static_cast<std::size_t>((y - 2) * 28 + x - 2)];
      ASSERT_EQ(level(values, x, y, 1), expected) << x << ' ' << y;
    }
  }
}

TEST_F(GlyphEdges, the_condition_is_white_where_ink_meets_paper) {
  int n_white = 0;
  int n_inside = 0;
  for (std::uint32_t index = 0; index < 20; ++index) {
    const std::vector<float> values = sample(index);
    const auto is_ink = [&](int x, int y) { return level(values, x, y, 1) >= 128; };
    for (int y = 1; y < kExtent - 1; ++y) {
      for (int x = 1; x < kExtent - 1; ++x) {
        const int n_ink_beside =
            is_ink(x - 1, y) + is_ink(x + 1, y) + is_ink(x, y - 1) + is_ink(x, y + 1);
        const bool is_edge = is_ink(x, y) && n_ink_beside < 4;
        ASSERT_EQ(level(values, x, y, 0), is_edge ? 255 : 0) << index << ' ' << x << ' ' << y;
        n_white += is_edge;
        n_inside += is_ink(x, y) && !is_edge;
      }
    }
  }
  EXPECT_GT(n_white, 20 * 20);
  EXPECT_GT(n_inside, 20 * 5) << "an outline that is the whole glyph leaves nothing to learn";
}

}  // namespace
}  // namespace lipizz::data::glyph_edges_test
