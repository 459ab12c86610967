#include "setup/resolve.hpp"

#include <gtest/gtest.h>

#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::setup::resolve_test {
namespace {

TEST(Resolve, auto_becomes_what_the_dataset_and_the_build_have) {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  const config::Experiment result = resolved(experiment);
  EXPECT_EQ(result.model.name, "mlp-2d");
  EXPECT_TRUE(nn::is_available(nn::parse_backend(result.compute.engine)));

  EXPECT_EQ(resolved(result), result) << "what is resolved stays";
}

}  // namespace
}  // namespace lipizz::setup::resolve_test
