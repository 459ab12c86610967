#include "app/layout_choice.hpp"

#include <gmock/gmock.h>

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
  const auto expect = [&](const config::Experiment& experiment, std::uint32_t n_ranks,
                          const std::string& why) {
    notes.clear();
    with_chosen_layout(experiment, ranks(n_ranks, 1'000'000'000'000), {}, notes);
    EXPECT_THAT(notes, ElementsAre("layout: auto chose 1 rank to a cell" + why));
  };
  expect(on_glyphs(), 1, "; there is none beyond a worker for each cell");
  expect(on_glyphs(), 7,
         "; 7 ranks do not come out even for 1 cell in 2 micro-batches: start a multiple of the "
         "cells; 6 of 7 ranks are spares");
  config::Experiment experiment = on_glyphs();
  experiment.data.micro_batches = 1;
  expect(experiment, 3,
         "; with more data.micro_batches they could share them; 2 of 3 ranks are spares");
  experiment = on_glyphs();
  experiment.model.name = "mlp-2d";
  experiment.data.dataset = "ring8";
  expect(experiment, 2,
         "; sharing cells out among 2 ranks on 2 cores is not expected to be faster; 1 of 2 ranks "
         "are spares");
}

// A stage holds a part of a large batch's values; with less memory than that takes nothing helps.
TEST(LayoutChoice, looks_for_one_that_fits) {
  config::Experiment experiment = on_glyphs();
  experiment.data.batch_size = 512;
  experiment.data.micro_batches = 1;
  std::vector<std::string> notes{""};
  std::vector<config::Experiment> chosen;
  for (double free_bytes = 5e8; notes.back().find("none that fits") == std::string::npos;
       free_bytes *= 0.97) {
    chosen.push_back(with_chosen_layout(
        experiment, ranks(2, static_cast<std::uint64_t>(free_bytes)), {}, notes));
  }
  ASSERT_GT(chosen.size(), 2U);
  const config::Experiment& last = chosen[chosen.size() - 2];
  EXPECT_EQ(chosen.front().compute.ranks_per_cell, 1U);
  EXPECT_EQ(last.compute.pipeline.stages, 2U);
  EXPECT_THAT(notes[1], Not(HasSubstr("memory")));
  EXPECT_THAT(notes[notes.size() - 2],
              ContainsRegex("1 replica of 2 stages.*; 1 that would be faster needs more memory"));
  EXPECT_THAT(notes.back(), HasSubstr("the one that lacks least has 2 ranks to a cell, 1 replica"));
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
