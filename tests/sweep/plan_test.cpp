#include "sweep/plan.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "config/json.hpp"
#include "core/hash.hpp"
#include "sample_sweep.hpp"
#include "setup/resolve.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::plan_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

std::map<std::string, std::string> ids(const Plan& plan) {
  std::map<std::string, std::string> all;
  for (const PlannedRun& run : plan.runs()) {
    all[plan.combinations()[run.combination].label + " " + std::to_string(run.seed)] = run.id;
  }
  return all;
}

// The runs that two plans have in common.
std::size_t n_common(const Plan& a, const Plan& b) {
  std::set<std::string> known;
  for (const PlannedRun& run : a.runs()) known.insert(run.id);
  std::size_t n = 0;
  for (const PlannedRun& run : b.runs()) n += known.count(run.id);
  return n;
}

TEST(Plan, is_the_product_of_the_axes_with_the_first_one_slowest) {
  const Plan plan = sample_plan();
  ASSERT_EQ(plan.combinations().size(), 6);
  ASSERT_EQ(plan.runs().size(), 12);
  EXPECT_EQ(plan.combinations()[0].label, "learning_rate=0.001 loss=bce");
  EXPECT_EQ(plan.combinations()[1].label, "learning_rate=0.001 loss=mse");
  EXPECT_EQ(plan.combinations()[5].label, "learning_rate=0.1 loss=mse");
  EXPECT_EQ(plan.runs()[3].combination, 1);
  EXPECT_EQ(plan.runs()[3].seed, 2);
  const config::Experiment experiment = plan.experiment(plan.runs()[3]);
  EXPECT_EQ(experiment.generator.learning_rate, 0.001);
  EXPECT_EQ(experiment.generator.loss, "mse");
  EXPECT_EQ(experiment.seed, 2);
  EXPECT_EQ(experiment.generations, 8);
  EXPECT_EQ(plan.generations(1), 8);
}

TEST(Plan, axes_that_move_together_are_one_factor_of_it) {
  const Plan plan(parsed(R"({"axes": [{"zip": [
      {"setting": "generator.loss", "values": ["bce", "mse"]},
      {"setting": "discriminator.loss", "values": ["bce", "mse"]}]},
      {"setting": "grid.rows", "values": [1, 2, 3]}]})"));
  ASSERT_EQ(plan.combinations().size(), 6);
  EXPECT_THAT(plan.combinations()[4].values, ElementsAre("mse", "mse", "2"));
  EXPECT_THAT(plan.short_names(), ElementsAre("generator.loss", "discriminator.loss", "rows"));
}

TEST(Plan, without_axes_is_one_combination) {
  const Plan plan(parsed(R"({"seeds": [4]})"));
  ASSERT_EQ(plan.runs().size(), 1);
  EXPECT_EQ(plan.runs()[0].folder, "seed-4-" + plan.runs()[0].id);
}

TEST(Plan, each_run_has_an_id_and_a_folder_of_its_own) {
  std::set<std::string> seen;
  const Plan plan = sample_plan();
  for (const PlannedRun& run : plan.runs()) {
    EXPECT_TRUE(seen.insert(run.id).second);
    EXPECT_TRUE(run.folder.ends_with("_seed-" + std::to_string(run.seed) + "-" + run.id));
  }
  EXPECT_THAT(sample_plan().runs()[0].folder, HasSubstr("learning_rate-0.001_loss-bce_seed-1-"));
}

TEST(Plan, folders_have_names_that_every_shell_takes) {
  const Plan plan(parsed(R"({"axes": [{"setting": "neighbourhood",
      "values": [[{"from": 0, "neighbourhood": "cross5"}, {"from": 5, "neighbourhood": "moore9"}]]}]})"));
  EXPECT_THAT(plan.runs()[0].folder, testing::MatchesRegex("[A-Za-z0-9._+-]+"));
  EXPECT_LT(plan.runs()[0].folder.size(), 200);
}

TEST(Plan, a_larger_sweep_has_the_runs_of_the_smaller_one) {
  const auto before = ids(sample_plan());
  SweepFile larger = sample_plan().sweep();
  larger.seeds = {1, 2, 3};
  larger.axes[0][0].values.insert(larger.axes[0][0].values.begin(), "0.5");
  const auto after = ids(Plan(larger));
  EXPECT_EQ(after.size(), 24);
  for (const auto& [name, id] : before) EXPECT_EQ(after.at(name), id) << name;
}

TEST(Plan, an_axis_that_is_added_leaves_the_runs_of_its_default_alone) {
  const auto before = ids(sample_plan());
  SweepFile larger = sample_plan().sweep();
  larger.axes.push_back({{"discriminator.beta1", {"0.5", "0.9"}}});
  std::set<std::string> after;
  for (const auto& [name, id] : ids(Plan(larger))) after.insert(id);
  EXPECT_EQ(after.size(), 24);
  for (const auto& [name, id] : before) EXPECT_TRUE(after.contains(id)) << name;
}

TEST(Plan, what_no_result_depends_on_makes_no_other_run) {
  SweepFile sweep = sample_plan().sweep();
  sweep.base.name = "another";
  sweep.base.compute.threads = 3;
  EXPECT_EQ(ids(Plan(sweep)), ids(sample_plan()));
  sweep.base.generations = 9;
  EXPECT_NE(ids(Plan(sweep)), ids(sample_plan()));
}

TEST(Plan, samples_of_one_s_own_elsewhere_are_other_runs) {
  SweepFile sweep = sample_plan().sweep();
  sweep.base.data.dataset = "csv";
  sweep.base.data.own.path = "cats.csv";
  const Plan cats(sweep);
  EXPECT_EQ(n_common(cats, Plan(sweep)), 12);
  sweep.base.data.own.path = "dogs.csv";
  EXPECT_EQ(n_common(cats, Plan(sweep)), 0);
  const Plan both(parsed(R"({"base": {"data": {"dataset": "csv"}}, "axes": [
      {"setting": "data.path", "values": ["cats.csv", "dogs.csv"]}]})"));
  EXPECT_EQ(both.combinations().size(), 2);
}

TEST(Plan, a_table_of_convolutions_is_known_by_what_it_says) {
  const TemporaryFolder folder;
  const auto write_table = [&](const char* name, const std::string& algorithm) {
    write_text(folder / name,
               R"([{"operation":"convolution","x":[2,8,8,16],"y":[2,4,4,32],"kernel":4,"stride":2,)"
               R"("padding":1,"precision":"f32","numerics":"avx2","algorithm":")" +
                   algorithm + R"("}])");
  };
  SweepFile sweep = sample_plan().sweep();
  sweep.base.compute.convolution_table = (folder / "table.json").string();
  EXPECT_THROW(Plan{sweep}, ConfigError) << "there is none";
  write_table("table.json", "im2col");
  const Plan before(sweep);
  EXPECT_EQ(n_common(before, sample_plan()), 0);
  write_table("table.json", "kn2row");
  EXPECT_EQ(n_common(before, Plan(sweep)), 0);
  write_table("moved.json", "im2col");
  sweep.base.compute.convolution_table = (folder / "moved.json").string();
  EXPECT_EQ(n_common(before, Plan(sweep)), 12);
}

TEST(Plan, without_such_files_an_id_is_of_settings_and_length_alone) {
  const Plan plan = sample_plan();
  const config::Experiment resolved = setup::resolved(plan.experiment(plan.runs()[0]));
  Hasher hasher;
  hasher.value(config::lineage_hash(resolved));
  hasher.value(std::uint64_t{8});
  hasher.value(std::uint64_t{0});
  EXPECT_EQ(plan.runs()[0].id, to_hex(hasher.digest()));
}

TEST(Plan, combinations_that_are_the_same_experiment_are_planned_once) {
  const Plan plan(parsed(R"({"seeds": 2, "axes": [
      {"setting": "model", "values": ["auto", "mlp-2d", "mlp-2d"]},
      {"setting": "data.dataset", "values": ["ring8"]}]})"));
  ASSERT_EQ(plan.combinations().size(), 1);
  EXPECT_THAT(plan.combinations()[0].values, ElementsAre("auto", "ring8"));
  EXPECT_EQ(plan.runs().size(), 2);
  EXPECT_EQ(plan.runs()[1].combination, 0);
  EXPECT_EQ(plan.n_repeated(), 2);
}

TEST(Plan, has_a_limit) {
  SweepFile sweep = sample_plan().sweep();
  for (int i = 0; i < 40; ++i) sweep.axes.push_back({{"grid.rows", {"1", "2", "3"}}});
  EXPECT_THAT([&] { const Plan plan(sweep); },
              ThrowsMessage<ConfigError>(HasSubstr("at most 50000 runs")));
}

TEST(Plan, names_the_combination_that_is_refused) {
  EXPECT_THAT(
      [] {
        const Plan plan(parsed(R"({"axes": [{"setting": "selection",
                                              "values": ["none", "tournment"]}]})"));
      },
      ThrowsMessage<ConfigError>(::testing::AllOf(HasSubstr("selection=tournment: "),
                                                  HasSubstr("did you mean \"tournament\"?"))));
  const Plan plan = sample_plan();
  const auto check = [](const config::Experiment& experiment) {
    if (experiment.generator.loss == "mse") throw ConfigError("no mse");
  };
  EXPECT_THAT([&] { plan.check_each(check); },
              ThrowsMessage<ConfigError>("learning_rate=0.001 loss=mse: no mse"));
}

TEST(Plan, short_names_can_be_told_apart) {
  EXPECT_THAT(shortest_names({"a.rate", "b.rate", "b.loss", "seed"}),
              ElementsAre("a.rate", "b.rate", "loss", "seed"));
  EXPECT_THAT(shortest_names({"rate", "a.rate"}), ElementsAre("rate", "a.rate"));
  EXPECT_THAT(shortest_names({}), IsEmpty());
}

}  // namespace
}  // namespace lipizz::sweep::plan_test
