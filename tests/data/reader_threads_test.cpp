#include "data/reader_threads.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace lipizz::data::reader_threads_test {
namespace {

TEST(ReaderThreads, do_each_piece_of_work_once) {
  for (const std::uint32_t n_threads : {1U, 3U, 500U}) {
    std::vector<int> counts(200);
    for_each_on_threads(200, n_threads, [&](std::uint32_t i) { ++counts[i]; });
    EXPECT_EQ(counts, std::vector<int>(200, 1));
  }
  for_each_on_threads(0, 4, [](std::uint32_t) { FAIL(); });
}

TEST(ReaderThreads, the_first_error_is_the_same_with_any_number_of_threads) {
  for (const std::uint32_t n_threads : {1U, 2U, 8U}) {
    for (int i = 0; i < 20; ++i) {
      try {
        for_each_on_threads(100, n_threads, [](std::uint32_t k) {
          if (k >= 17) throw std::runtime_error(std::to_string(k));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "17");
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::data::reader_threads_test
