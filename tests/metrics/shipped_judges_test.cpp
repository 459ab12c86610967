#include "metrics/shipped_judges.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "metrics/judge.hpp"
#include "metrics/support.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::metrics::shipped_judges_test {
namespace {

// Trains a judge anew. With LIPIZZ_WRITE_JUDGES=src/metrics/judges it is written there, for the
// next build to carry along.
void expect_the_same_as_ever(const std::string& name) {
  const char* const folder = std::getenv("LIPIZZ_DATA_DIR");
  data::OpenOptions options;
  options.data_dir = folder == nullptr ? "" : folder;
  std::shared_ptr<const data::Dataset> dataset;
  try {
    dataset = data::open_dataset(name, options);
  } catch (const DataError& error) {
    GTEST_SKIP() << error.what();
  }
  nn::prepare_compute_thread();
  const Bytes trained = pack_judge(train_judge(*dataset, testing::kUnwatched), *dataset);
  EXPECT_LE(trained.size(), 1U << 20);
  if (const char* const to = std::getenv("LIPIZZ_WRITE_JUDGES")) {
    write_atomically(std::filesystem::path(to) / (name + ".bin"), trained);
  }
  EXPECT_TRUE(shipped_judge(*dataset) == trained)
      << "of " << name << " another judge comes with the program, or none";
}

TEST(ShippedJudges, glyphs) {
  expect_the_same_as_ever("glyphs");
}

TEST(ShippedJudges, mnist) {
  expect_the_same_as_ever("mnist");
}

TEST(ShippedJudges, fashion_mnist) {
  expect_the_same_as_ever("fashion-mnist");
}

TEST(ShippedJudges, stacked_mnist) {
  expect_the_same_as_ever("stacked-mnist");
}

TEST(ShippedJudges, cifar10) {
  expect_the_same_as_ever("cifar10");
}

}  // namespace
}  // namespace lipizz::metrics::shipped_judges_test
