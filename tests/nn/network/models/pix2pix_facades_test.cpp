#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "nn/network/models/overfitting.hpp"

namespace lipizz::nn::pix2pix_facades_test {
namespace {

TEST(Pix2pixFacades, learns_a_facade_by_heart) {
  const char* data_dir = std::getenv("LIPIZZ_DATA_DIR");
  if (data_dir == nullptr ||
      !std::filesystem::is_directory(std::filesystem::path(data_dir) / "facades")) {
    GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with facades/";
  }
  const auto dataset = data::open_dataset("facades", {.data_dir = data_dir, .max_samples = 1});
  testing::Overfitting training("pix2pix", *dataset, testing::engines().back());
  EXPECT_GT(training.l1(), 0.3);
  for (int i = 0; i < 30 && training.l1() >= 0.05; ++i) training.train(10);
  EXPECT_LT(training.l1(), 0.05);
}

}  // namespace
}  // namespace lipizz::nn::pix2pix_facades_test
