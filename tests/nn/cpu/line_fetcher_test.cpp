#include "nn/cpu/line_fetcher.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace lipizz::nn::line_fetcher_test {
namespace {

TEST(Lines, are_counted_in_whole_cache_lines) {
  EXPECT_EQ((Lines{nullptr, 1000, 64, 3}.size()), 3U);
  EXPECT_EQ((Lines{nullptr, 1000, 65, 3}.size()), 6U);
  EXPECT_EQ(Lines().size(), 0U);
}

TEST(Lines, are_shared_out_each_once) {
  const std::vector<char> memory(10 * 100);
  const Lines all{memory.data(), 100, 64, 10};
  const char* next = all.first;
  std::size_t n = 0;
  for (const auto& [begin, end] : {std::pair{0U, 48U}, {48U, 96U}, {96U, 100U}}) {
    const Lines share = all.share(begin, end, 100);
    EXPECT_EQ(share.first, next);
    EXPECT_EQ(share.n_bytes, 64U);
    next = share.first + share.n * share.stride;
    n += share.n;
  }
  EXPECT_EQ(n, all.n);
}

}  // namespace
}  // namespace lipizz::nn::line_fetcher_test
