#include "nn/base/activation.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::nn::activation_test {
namespace {

TEST(Activations, are_found_by_their_names) {
  for (const ActivationEntry& entry : activations()) {
    EXPECT_EQ(find_activation(entry.name), entry.activation);
    EXPECT_EQ(to_string(entry.activation), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
  EXPECT_THROW(find_activation("rellu"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn::activation_test
