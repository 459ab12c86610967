#include "sweep/sweep_file.hpp"

#include <gmock/gmock.h>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::sweep_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

#define EXPECT_REFUSED(json, ...)                      \
  EXPECT_THAT([] { static_cast<void>(parsed(json)); }, \
              ThrowsMessage<ConfigError>(::testing::AllOf(HasSubstr("FILE"), __VA_ARGS__)))

TEST(SweepFile, an_empty_one_is_the_run_of_the_defaults) {
  const SweepFile sweep = parsed("{}");
  EXPECT_EQ(sweep.base, config::Experiment{});
  EXPECT_TRUE(sweep.axes.empty());
  EXPECT_THAT(sweep.seeds, ElementsAre(1));
  EXPECT_FALSE(sweep.stop_early);
}

TEST(SweepFile, settings_stand_on_top_of_the_base) {
  const SweepFile sweep = parsed(R"({"base": {"seed": 7, "generations": 3},
                                     "settings": {"generations": 5}})");
  EXPECT_EQ(sweep.base.generations, 5);
  EXPECT_THAT(sweep.seeds, ElementsAre(7));
}

TEST(SweepFile, axes_of_every_kind) {
  const SweepFile sweep = parsed(R"({"axes": [
    {"setting": "generator.loss", "values": ["bce", "mse"]},
    {"setting": "selection.size", "values": [2, 3]},
    {"setting": "generator.beta1", "range": {"from": 0, "to": 0.5, "points": 3}},
    {"setting": "data.batch_size",
     "range": {"from": 10, "to": 1000, "points": 3, "scale": "log", "whole": true}},
    {"setting": "discriminator.learning_rate",
     "random": {"from": 1e-5, "to": 1e-2, "draws": 4, "scale": "log"}}]})");
  ASSERT_EQ(sweep.axes.size(), 5);
  EXPECT_EQ(sweep.axes[0], (AxisGroup{{"generator.loss", {"bce", "mse"}}}));
  EXPECT_EQ(sweep.axes[1], (AxisGroup{{"selection.size", {"2", "3"}}}));
  EXPECT_EQ(sweep.axes[2], (AxisGroup{{"generator.beta1", {"0", "0.25", "0.5"}}}));
  EXPECT_EQ(sweep.axes[3], (AxisGroup{{"data.batch_size", {"10", "100", "1000"}}}));
  EXPECT_EQ(sweep.axes[4][0].values.size(), 4);
}

TEST(SweepFile, lengths_and_files_make_axes_though_a_resumed_run_may_change_them) {
  const auto values = [](const std::string& setting, const std::string& listed) {
    return parsed(R"({"axes": [{"setting": ")" + setting + R"(", "values": )" + listed + "}]}")
        .axes[0][0]
        .values;
  };
  EXPECT_THAT(values("generations", "[5, 6]"), ElementsAre("5", "6"));
  EXPECT_THAT(values("stop.patience", "[5, 6]"), ElementsAre("5", "6"));
  EXPECT_THAT(values("data.path", R"(["a", "b"])"), ElementsAre("a", "b"));
  EXPECT_THAT(values("convolution_table", R"(["a", "b"])"), ElementsAre("a", "b"));
}

TEST(SweepFile, values_that_are_no_scalars) {
  const SweepFile sweep = parsed(R"({"axes": [{"setting": "augmentation",
    "values": [[], ["color", "cutout"]]}, {"setting": "selection",
    "values": ["none", {"kind": "tournament", "size": 3}]}]})");
  EXPECT_EQ(sweep.axes[0][0].values, (std::vector<std::string>{"[]", R"(["color","cutout"])"}));
  EXPECT_EQ(sweep.axes[1][0].values[1], R"({"kind":"tournament","size":3})");
}

TEST(SweepFile, axes_that_move_together) {
  const SweepFile sweep = parsed(R"({"axes": [{"zip": [
    {"setting": "generator.loss", "values": ["bce", "mse"]},
    {"setting": "discriminator.loss", "values": ["bce", "mse"]}]}]})");
  ASSERT_EQ(sweep.axes.size(), 1);
  EXPECT_EQ(sweep.axes[0].size(), 2);
  EXPECT_REFUSED(R"({"axes": [{"zip": [{"setting": "generator.loss", "values": ["bce", "mse"]},
                                       {"setting": "seed_", "values": [1]}]}]})",
                 HasSubstr("there is no setting \"seed_\""));
  EXPECT_REFUSED(R"({"axes": [{"zip": [{"setting": "generator.loss", "values": ["bce", "mse"]},
                                       {"setting": "grid.rows", "values": [1]}]}]})",
                 HasSubstr("axes[0].zip: expected as many values of each axis, found 2 of "
                           "generator.loss and 1 of grid.rows"));
}

TEST(SweepFile, random_draws_depend_on_their_own_seed) {
  const auto drawn_with = [](const std::string& seed) {
    return parsed(R"({"random_seed": )" + seed + R"(, "axes": [{"setting": "generator.beta1",
                     "random": {"from": 0, "to": 0.9, "draws": 3}}]})")
        .axes[0][0]
        .values;
  };
  EXPECT_EQ(drawn_with("1"), drawn_with("1"));
  EXPECT_NE(drawn_with("1"), drawn_with("2"));
}

TEST(SweepFile, seeds) {
  EXPECT_THAT(parsed(R"({"seeds": 3})").seeds, ElementsAre(1, 2, 3));
  EXPECT_THAT(parsed(R"({"seeds": [5, 0]})").seeds, ElementsAre(5, 0));
  EXPECT_REFUSED(R"({"seeds": [5, 5]})", HasSubstr("seeds[1]: expected a seed that is not there"));
  EXPECT_REFUSED(R"({"seeds": 0})", HasSubstr("seeds: expected a whole number from 1"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "seed", "values": [1, 2]}]})",
                 HasSubstr("axes[0].setting: seeds have a key of their own"));
}

TEST(SweepFile, stopping_early) {
  const SweepFile sweep =
      parsed(R"({"base": {"generations": 9}, "stop_early": {"rungs": [2, 4]}})");
  EXPECT_EQ(sweep.stop_early, (StopEarly{.rungs = {2, 4}, .keep = 0.5}));
  EXPECT_REFUSED(R"({"base": {"generations": 4}, "stop_early": {"rungs": [2, 4]}})",
                 HasSubstr("stop_early.rungs[1]"));
  EXPECT_REFUSED(R"({"stop_early": {"rungs": [3, 2]}})", HasSubstr("stop_early.rungs[1]"));
  EXPECT_REFUSED(R"({"stop_early": {"rungs": [3], "keep": 1}})",
                 HasSubstr("stop_early.keep: expected a number above 0 and below 1, found 1"));
  EXPECT_REFUSED(R"({"stop_early": {"keep": 0.5}})", HasSubstr("\"rungs\""));
}

TEST(SweepFile, stopping_early_is_refused_by_name_where_a_resume_gives_another_run) {
  EXPECT_REFUSED(R"({"base": {"exchange": "async"}, "stop_early": {"rungs": [3]}})",
                 HasSubstr("exchange=async"));
  EXPECT_REFUSED(R"({"stop_early": {"rungs": [3]},
                     "axes": [{"setting": "exchange", "values": ["sync"]}]})",
                 HasSubstr("exchange=async"));
  EXPECT_REFUSED(R"({"stop_early": {"rungs": [3]},
                     "axes": [{"setting": "generations", "values": [5, 6]}]})",
                 HasSubstr("generations"));
  EXPECT_REFUSED(R"({"base": {"stop": {"patience": 3}}, "stop_early": {"rungs": [3]}})",
                 HasSubstr("stop.patience"));
}

TEST(SweepFile, what_is_not_known_names_the_nearest) {
  EXPECT_REFUSED(R"({"axis": []})", HasSubstr("there is no key \"axis\"; did you mean \"axes\"?"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "lr", "values": [1]}]})",
                 HasSubstr("axes[0] (lr): there is no setting \"lr\"; did you mean "
                           "\"generator.learning_rate\"?"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1",
                               "range": {"from": 0, "to": 1, "point": 3}}]})",
                 HasSubstr("axes[0].range: there is no key \"point\"; did you mean \"points\"?"));
  EXPECT_REFUSED(R"({"settings": {"epochs": 3}})", HasSubstr("settings: there is no setting"));
}

TEST(SweepFile, what_is_wrong_is_named_with_its_place) {
  EXPECT_REFUSED("[]", HasSubstr("expected an object with name, base"));
  EXPECT_REFUSED("{", HasSubstr("not valid JSON"));
  EXPECT_REFUSED(R"({"seeds": 1, "seeds": 2})", HasSubstr("stands twice"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1", "values": [0.1, 7]}]})",
                 HasSubstr("axes[0] (generator.beta1): expected a number from 0 to"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1"}]})",
                 HasSubstr("one of \"values\", \"range\" and \"random\""));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1", "values": []}]})",
                 HasSubstr("axes[0].values: expected a list of 1 to 10000 entries"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1", "values": [0.1]},
                              {"setting": "generator.beta1", "values": [0.2]}]})",
                 HasSubstr("generator.beta1 has an axis already"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "threads", "values": [1, 2]}]})",
                 HasSubstr("no result depends on threads"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1",
                               "range": {"from": 0, "to": 0.1, "points": 3, "scale": "log"}}]})",
                 HasSubstr("on a logarithmic scale"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1",
                               "range": {"from": 0.2, "to": 0.1, "points": 3}}]})",
                 HasSubstr("a number above \"from\", found 0.1"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "data.batch_size",
                               "range": {"from": 0.5, "to": 4, "points": 3, "whole": true}}]})",
                 HasSubstr("range.from: expected a whole number"));
  EXPECT_REFUSED(R"({"name": "../a"})", HasSubstr("name: expected up to 100 letters"));
}

TEST(SweepFile, is_bounded) {
  EXPECT_REFUSED(std::string(100, '[') + std::string(100, ']'), HasSubstr("in one another"));
  EXPECT_REFUSED(R"({"axes": [{"setting": "generator.beta1",
                               "range": {"from": 0, "to": 0.1, "points": 1000000000}}]})",
                 HasSubstr("points: expected a whole number from 2 to 10000"));
}

TEST(SweepFile, a_base_is_found_from_the_folder_of_the_sweep) {
  const TemporaryFolder folder;
  write_text(folder / "base.json", R"({"seed": 11})");
  write_text(folder / "sweeps/my sweep.json", R"({"base": "../base.json"})");
  const SweepFile sweep = read_sweep(folder / "sweeps/my sweep.json");
  EXPECT_EQ(sweep.base.seed, 11);
  EXPECT_EQ(sweep.name, "my_sweep") << "a name that a folder can have";
  EXPECT_THROW(read_sweep(folder / "none.json"), ConfigError);
  write_text(folder / "astray.json", R"({"base": "none.json"})");
  EXPECT_THROW(read_sweep(folder / "astray.json"), ConfigError);
}

}  // namespace
}  // namespace lipizz::sweep::sweep_file_test
