#include "app/dataset_scorer.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/exec/host_device.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::dataset_scorer_test {
namespace {

TEST(DatasetScorer, is_of_the_metric_that_is_asked_for_or_fits) {
  const TemporaryFolder base;
  nn::HostDevice device;
  data::OpenOptions options;
  options.max_samples = 100;
  const auto dataset = data::open_dataset("ring8", options);
  EXPECT_EQ(open_scorer("auto", *dataset, base / "run", device)->metric(), "modes");
  EXPECT_EQ(open_scorer("fourier", *dataset, base / "run", device)->metric(), "fourier");
  EXPECT_THROW(open_scorer("blocks", *dataset, base / "run", device), ConfigError);
}

}  // namespace
}  // namespace lipizz::app::dataset_scorer_test
