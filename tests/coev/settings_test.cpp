#include "coev/settings.hpp"

#include <gtest/gtest.h>

namespace lipizz::coev {
namespace {

TEST(Settings, samples_of_large_models_are_made_a_few_at_once) {
  EXPECT_EQ(rows_at_once(nn::make_model("mlp")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("dcgan64")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("sngan32")), 64U);  // layers of 32x32x256
  EXPECT_EQ(rows_at_once(nn::make_model("pix2pix")), 8U);   // of 128x128x128
}

}  // namespace
}  // namespace lipizz::coev
