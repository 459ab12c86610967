#include "nn/cpu/im2col.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nn/cpu/numbers.hpp"

namespace lipizz::nn::im2col_test {
namespace {

using testing::numbers;

// Calls with windows on images of few channels and many, that overlap, that leave pixels out, and
// that lie outside of an image in part or whole.
template <class Check>
void for_each_shape(const Check& check) {
  for (const std::uint32_t channels : {1U, 3U, 5U, 16U, 35U}) {
    check({{2, 7, 9, channels}, {2, 7, 9, 4}, {.kernel = 3, .stride = 1, .padding = 1}});
    check({{3, 8, 12, channels}, {3, 4, 6, 4}, {.kernel = 4, .stride = 2, .padding = 1}});
    check({{1, 5, 5, channels}, {1, 2, 2, 4}, {.kernel = 2, .stride = 3, .padding = 0}});
    check({{2, 2, 3, channels}, {2, 6, 7, 4}, {.kernel = 1, .stride = 1, .padding = 2}});
    check({{2, 2, 2, channels}, {2, 3, 3, 4}, {.kernel = 4, .stride = 1, .padding = 2}});
  }
}

std::size_t n_columns(const ConvolutionShape& s) {
  return s.x[0] * s.n_positions() * s.n_window();
}

// Calls with each element of the columns, in order, and the pixel that it is, if it is inside.
template <class Visit>
void for_each_element(const ConvolutionShape& s, const Visit& visit) {
  std::size_t element = 0;
  for (std::uint32_t n = 0; n < s.x[0]; ++n) {
    for (std::uint32_t row = 0; row < s.y[1]; ++row) {
      for (std::uint32_t column = 0; column < s.y[2]; ++column) {
        for (std::uint32_t tap = 0; tap < s.window.kernel * s.window.kernel; ++tap) {
          const std::size_t h = row * s.window.stride + tap / s.window.kernel - s.window.padding;
          const std::size_t w = column * s.window.stride + tap % s.window.kernel - s.window.padding;
          const bool is_inside = h < s.x[1] && w < s.x[2];
          for (std::uint32_t c = 0; c < s.x[3]; ++c) {
            visit(element++, is_inside, ((n * s.x[1] + h) * s.x[2] + w) * s.x[3] + c);
          }
        }
      }
    }
  }
}

TEST(Im2col, columns_are_what_windows_cover) {
  for_each_shape([](const ConvolutionShape& s) {
    const std::vector<float> x = numbers(n_elements(s.x));
    std::vector<float> found(n_columns(s), 7);
    std::vector<float> expected(found.size());
    im2col(s, x.data(), s.x[0], found.data());
    for_each_element(s, [&](std::size_t element, bool is_inside, std::size_t pixel) {
      expected[element] = is_inside ? x[pixel] : 0;
    });
    EXPECT_EQ(found, expected) << s.x[3] << " channels, windows of " << s.window.kernel;
  });
}

TEST(Im2col, columns_in_bf16_are_the_others_rounded) {
  for_each_shape([](const ConvolutionShape& s) {
    const std::vector<float> x = numbers(n_elements(s.x));
    std::vector<float> exact(n_columns(s));
    std::vector<Bf16> found(exact.size(), 7), expected(exact.size());
    im2col(s, x.data(), s.x[0], exact.data());
    im2col(s, x.data(), s.x[0], found.data());
    round_to_bf16(exact.data(), expected.data(), exact.size());
    EXPECT_EQ(found, expected) << s.x[3] << " channels, windows of " << s.window.kernel;
  });
}

TEST(Im2col, pixels_are_sums_of_their_elements_in_order) {
  for_each_shape([](const ConvolutionShape& s) {
    const std::vector<float> columns = numbers(n_columns(s));
    std::vector<float> found(n_elements(s.x), 7);
    std::vector<float> expected(found.size());
    col2im(s, columns.data(), s.x[0], found.data());
    for_each_element(s, [&](std::size_t element, bool is_inside, std::size_t pixel) {
      if (is_inside) expected[pixel] += columns[element];
    });
    EXPECT_EQ(found, expected) << s.x[3] << " channels, windows of " << s.window.kernel;
  });
}

// The columns of one tap.
TEST(Im2col, taps_are_gathered_and_scattered_one_by_one) {
  for_each_shape([](const ConvolutionShape& s) {
    std::vector<float> x(n_elements(s.x));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13);  // exact sums
    std::vector<float> columns(n_columns(s)), pixels(s.x[0] * s.n_positions() * s.x[3]);
    im2col(s, x.data(), s.x[0], columns.data());
    std::vector<float> gathered(columns.size()), sums(x.size()), expected(x.size());
    const std::size_t n_taps = std::size_t{s.window.kernel} * s.window.kernel;
    for (std::uint32_t tap = 0; tap < n_taps; ++tap) {
      gather_tap(s, x.data(), s.x[0], tap, pixels.data());
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        gathered[(i / s.x[3] * n_taps + tap) * s.x[3] + i % s.x[3]] = pixels[i];
      }
      scatter_tap(s, pixels.data(), s.x[0], tap, sums.data());
    }
    EXPECT_EQ(gathered, columns) << s.x[3] << " channels, windows of " << s.window.kernel;
    for_each_element(s, [&](std::size_t, bool is_inside, std::size_t pixel) {
      if (is_inside) expected[pixel] += x[pixel];
    });
    EXPECT_EQ(sums, expected) << s.x[3] << " channels, windows of " << s.window.kernel;
  });
}

}  // namespace
}  // namespace lipizz::nn::im2col_test
