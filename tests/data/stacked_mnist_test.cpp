#include "data/stacked_mnist.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "data/support.hpp"

namespace lipizz::data::stacked_mnist_test {
namespace {

// Each channel of a stack is a digit of MNIST, and its label has theirs.
TEST(StackedMnist, is_made_of_digits_that_mnist_has) {
  const char* data_dir = std::getenv("LIPIZZ_DATA_DIR");
  if (data_dir == nullptr) GTEST_SKIP() << "LIPIZZ_DATA_DIR is not set";
  OpenOptions options;
  options.data_dir = data_dir;
  const auto mnist = open_dataset("mnist", options);
  const auto stacked = open_dataset("stacked-mnist", options);
  EXPECT_EQ(stacked->n_train(), 128'000U);
  EXPECT_EQ(stacked->n_test(), 26'000U);
  const std::vector<float> digits = read_test(*mnist, mnist->n_test());
  const std::vector<float> stacks = read_test(*stacked, 3);
  for (std::uint32_t s = 0; s < 3; ++s) {
    Label label = stacked->test_label(s);
    for (std::uint32_t channel = 3; channel-- > 0; label /= 10) {
      std::vector<float> digit(784);
      for (std::size_t i = 0; i < 784; ++i) digit[i] = stacks[(s * 784 + i) * 3 + channel];
      bool is_found = false;
      for (std::uint32_t k = 0; k < mnist->n_test(); ++k) {
        const auto* const candidate = digits.data() + std::size_t{k} * 784;
        if (!std::equal(digit.begin(), digit.end(), candidate)) continue;
        is_found = mnist->test_label(k) == label % 10;
      }
      EXPECT_TRUE(is_found) << s << " " << channel;
    }
  }
}

}  // namespace
}  // namespace lipizz::data::stacked_mnist_test
