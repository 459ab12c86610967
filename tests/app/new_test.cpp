#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/out_of_memory.hpp"

namespace lipizz::app::new_test {
namespace {

constexpr std::size_t kTooMuch = std::numeric_limits<std::ptrdiff_t>::max() - 4096;

template <class Allocate>
std::size_t bytes_refused(const Allocate& allocate) {
  try {
    allocate();
  } catch (const OutOfMemory& refused) {
    return refused.n_bytes();
  }
  return 0;
}

TEST(New, tells_how_much_was_refused) {
  EXPECT_EQ(bytes_refused([] { std::vector<char>().reserve(kTooMuch); }), kTooMuch);
  EXPECT_EQ(
      bytes_refused([] { static_cast<void>(::operator new (kTooMuch, std::align_val_t{64})); }),
      kTooMuch);
}

TEST(New, gives_aligned_memory_and_takes_it_back) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(std::make_unique<Wide>().get()) % 256, 0U);
}

}  // namespace
}  // namespace lipizz::app::new_test
