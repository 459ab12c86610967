#include "worker/workplace.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::worker {
namespace {

comm::Verdict verdict() {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.model.name = "mlp-2d";
  experiment.engine = "reference";
  comm::Verdict verdict;
  verdict.experiment = config::to_json(experiment);
  verdict.numerics = "baseline";
  verdict.hosts = {"m", "a", "a"};
  verdict.devices = {"", "cpu", "cuda:x"};
  return verdict;
}

TEST(Workplace, is_what_the_verdict_says_with_the_data_of_this_node) {
  Workplace workplace(verdict(), Rank{1}, "/data/here");
  EXPECT_EQ(workplace.experiment().data.dataset, "ring8");
  EXPECT_EQ(workplace.experiment().data.dir, "/data/here");
  EXPECT_EQ(workplace.device().name(), "cpu");
  EXPECT_EQ(&workplace.device(), &workplace.device()) << "opened once";
}

TEST(Workplace, a_device_that_is_none_is_refused_when_it_is_asked_for) {
  Workplace workplace(verdict(), Rank{2}, "");
  EXPECT_THROW(static_cast<void>(workplace.device()), ConfigError);
}

TEST(Workplace, a_verdict_that_makes_no_sense_is_refused) {
  comm::Verdict broken = verdict();
  broken.experiment = "{";
  EXPECT_THROW(Workplace(broken, Rank{1}, ""), ConfigError);
  broken = verdict();
  broken.convolution_table = "[";
  EXPECT_THROW(Workplace(broken, Rank{1}, ""), Error);
}

}  // namespace
}  // namespace lipizz::worker
