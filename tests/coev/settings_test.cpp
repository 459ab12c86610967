#include "coev/settings.hpp"

#include <gtest/gtest.h>

namespace lipizz::coev {
namespace {

TEST(Settings, large_images_are_made_a_few_at_once) {
  EXPECT_EQ(rows_at_once(nn::make_model("mlp")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("dcgan64")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("pix2pix")), 10U);
}

}  // namespace
}  // namespace lipizz::coev
