#include "app/layout_choice.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/base/engine.hpp"

namespace lipizz::app::layout_choice_test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

config::Experiment on_glyphs() {
  config::Experiment experiment;
  experiment.grid = {1, 1};
  experiment.model.name = "dcgan28";
  experiment.data.batch_size = 64;
  experiment.data.micro_batches = 2;
  experiment.score.n_samples = 100;
  experiment.compute.engine = "reference";
  experiment.compute.layout = "auto";
  return experiment;
}

// A master and so many others, each on a core of its own of one host, with so much memory.
std::vector<comm::InventoryEntry> ranks(std::uint32_t n, std::uint64_t free_bytes) {
  std::vector<comm::InventoryEntry> entries(1 + n);
  for (std::uint32_t i = 0; i <= n; ++i) {
    comm::InventoryEntry& entry = entries[i];
    entry.host = "node";
    entry.pid = i;
    entry.cores.n = 1;
    entry.cores.set = i;
    entry.memory.bytes = 1'000'000'000'000;
    entry.memory.limits = {{"the process", free_bytes, i}};
    entry.engine = "reference";
    entry.numerics_levels = {"baseline"};
  }
  return entries;
}

TEST(LayoutChoice, leaves_a_layout_that_is_given) {
  config::Experiment experiment = on_glyphs();
  experiment.compute.layout = "given";
  experiment.compute.ranks_per_cell = 2;
  std::vector<std::string> notes;
  EXPECT_EQ(with_chosen_layout(experiment, ranks(4, 1), {}, notes), experiment);
  EXPECT_TRUE(notes.empty());
}

TEST(LayoutChoice, is_written_down_and_told) {
  std::vector<std::string> notes;
  config::Experiment experiment = on_glyphs();
  experiment.compute.ranks_per_cell = 7;  // of an earlier start
  experiment = with_chosen_layout(experiment, ranks(2, 1'000'000'000'000), {}, notes);
  EXPECT_EQ(experiment.compute.ranks_per_cell, 2U);
  EXPECT_EQ(experiment.compute.layout, "auto");
  EXPECT_THAT(notes,
              ElementsAre(AllOf(HasSubstr("layout: auto chose 2 ranks to a cell, generator.zero 1, "
                                          "discriminator.zero 1; training is expected to be 1."),
                                HasSubstr(" times as fast as on one to a cell"))));
}

TEST(LayoutChoice, says_why_a_cell_stays_on_one_rank) {
  std::vector<std::string> notes;
  config::Experiment experiment = on_glyphs();
  experiment.data.micro_batches = 1;
  with_chosen_layout(experiment, ranks(3, 1'000'000'000'000), {}, notes);
  experiment = on_glyphs();
  experiment.model.name = "mlp-2d";
  experiment.data.dataset = "ring8";
  with_chosen_layout(experiment, ranks(1, 1'000'000'000'000), {}, notes);
  EXPECT_THAT(notes,
              ElementsAre("layout: auto chose 1 rank to a cell; with more data.micro_batches they "
                          "could share them; 2 of 3 ranks are spares",
                          "layout: auto chose 1 rank to a cell; sharing cells out among 1 rank on "
                          "1 core is not expected to be faster"));
}

// The less memory there is, the more is shared out, until nothing helps.
TEST(LayoutChoice, looks_for_one_that_fits) {
  std::vector<std::string> notes;
  const auto chosen_within = [&](std::uint64_t free_bytes) {
    return with_chosen_layout(on_glyphs(), ranks(2, free_bytes), {}, notes);
  };
  const config::Experiment fastest = chosen_within(1'000'000'000);
  config::Experiment last = fastest;
  std::string why_none;
  for (double free_bytes = 1e9; why_none.empty(); free_bytes *= 0.95) {
    try {
      last = chosen_within(static_cast<std::uint64_t>(free_bytes));
    } catch (const ConfigError& error) {
      why_none = error.what();
    }
  }
  EXPECT_EQ(fastest.compute.pipeline.stages, 1U);
  EXPECT_EQ(fastest.generator.zero, 1U);
  EXPECT_TRUE(last.compute.pipeline.stages == 2 || last.generator.zero == 3) << notes.back();
  EXPECT_THAT(notes.front(), Not(HasSubstr("memory")));
  EXPECT_THAT(notes.back(), ContainsRegex("; [0-9]+ that would be faster needs? more memory than"));
  EXPECT_THAT(why_none, AllOf(HasSubstr("memory: node needs "), HasSubstr("of the process")));
}

TEST(LayoutChoice, does_not_look_at_memory_that_is_not_to_be_checked) {
  std::vector<std::string> notes;
  config::Experiment experiment = on_glyphs();
  experiment.compute.check_memory = false;
  experiment = with_chosen_layout(experiment, ranks(2, 1), {}, notes);
  EXPECT_EQ(experiment.compute.ranks_per_cell, 2U);
}

}  // namespace
}  // namespace lipizz::app::layout_choice_test
